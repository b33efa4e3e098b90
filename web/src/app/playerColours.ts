/** Colours of players: the same one for a player on every page, and in the terminal. */

/** Okabe and Ito's colours, which colour-blind people can tell apart; blue and black lifted off the dark ground. */
const BASE = ["#56b4e9", "#e69f00", "#1fb486", "#d583b4", "#f0e442", "#e4622a", "#4a86e8", "#b8c0cc"] as const;
export const NO_PLAYER = "#9aa5b1";
const GOLDEN = 0.6180339887498949;

/** How a player's land is filled, so that 32 players stay distinct: each base colour plain and with three hatches. */
export type Hatch = 0 | 1 | 2 | 3;
export const HATCHED = BASE.length * 4;

export function playerColour(player: number): string {
  if (player < 0) return NO_PLAYER;
  const base = BASE[player % BASE.length];
  if (player < HATCHED && base !== undefined) return base;
  return hsl((player * GOLDEN) % 1, 0.6, [0.62, 0.5, 0.74][player % 3] ?? 0.6);
}

export function playerHatch(player: number): Hatch {
  return (player < 0 || player >= HATCHED ? 0 : Math.floor(player / BASE.length)) as Hatch;
}

export function toNumber(colour: string): number {
  return parseInt(colour.slice(1), 16);
}

export function toCss(colour: number): string {
  return `#${colour.toString(16).padStart(6, "0")}`;
}

/** `over` laid on `under`, so much of it. */
export function mix(under: number, over: number, share: number): number {
  const part = (shift: number): number =>
    Math.round(((under >> shift) & 255) * (1 - share) + ((over >> shift) & 255) * share) << shift;
  return part(16) | part(8) | part(0);
}

function hsl(hue: number, saturation: number, lightness: number): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number): string => {
    const place = (offset + hue * 12) % 12;
    const value = lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1));
    return Math.round(255 * value).toString(16).padStart(2, "0");
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}
