const FIRST_DELAY = 250;
const MAX_DELAY = 10_000;
const SHARE_OF_OUTAGE = 0.25;

/**
 * Milliseconds until the next try after `outage` milliseconds without a connection: a quarter of the outage, so that a page is back soon after a
 * short restart and asks rarely during a long one. `chance`, from 0 to 1, spreads the pages that lost their connection at the same moment.
 */
export function reconnectDelay(outage: number, chance: number): number {
  return Math.min(MAX_DELAY, Math.max(FIRST_DELAY, SHARE_OF_OUTAGE * outage)) * (0.5 + chance / 2);
}
