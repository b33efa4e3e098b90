/** Matches that run while a page is looked at. */

import { expect, stock, test } from "./support";

const HEADERS = { Authorization: `Bearer ${stock.organiser}` };

/** For each game the address of a match that its own bots play, as long as the tests of this file last. */
export function liveMatches(): Record<string, string> {
  const live: Record<string, string> = {};
  test.beforeAll(async ({ request }) => {
    for (const game of Object.keys(stock.small)) {
      const seats = Array.from({ length: 3 }, () => ({ kind: "builtin", bot: "greedy" }));
      const body = { game, name: `${game} live`, seats, clock: { kind: "every", seconds: 0.6, early: false }, spectator_delay: 0 };
      const answer = await request.post("/api/v1/matches", { headers: HEADERS, data: body });
      expect(answer.ok(), await answer.text()).toBe(true);
      live[game] = ((await answer.json()) as { id: string }).id;
    }
  });
  test.afterAll(async ({ request }) => {
    for (const id of Object.values(live)) expect((await request.delete(`/api/v1/matches/${id}`, { headers: HEADERS })).ok()).toBe(true);
  });
  return live;
}
