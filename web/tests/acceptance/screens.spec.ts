/** Every page at three sizes in both themes: a picture of each, no violation of accessibility, no console message, nothing wider than the screen. */

import type { APIRequestContext, Page } from "@playwright/test";
import { become, call, person, playTurn, type Person } from "../seating";
import { accessible, expect, stock, test } from "../support";

const SIZES = { "1152x720": { width: 1152, height: 720 }, "1440x900": { width: 1440, height: 900 }, "390x844": { width: 390, height: 844 } };
const SECTIONS = ["matches", "rooms", "rounds", "seasons", "maps", "ledger", "jobs", "accounts", "audit", "tokens"];
const ADMIN: Person = { token: stock.admin, id: "" };

interface Prepared {
  player: Person;
  seats: Record<string, string>;
  lobby: string;
  over: string;
}

let prepared: Prepared | null = null;

/** An account with a seat in a running match of each game, one that waits, and one that it has lost. */
async function prepare(request: APIRequestContext): Promise<Prepared> {
  const player = await person(request);
  const bot = { kind: "builtin", bot: "greedy" };
  const create = async (game: string, seats: object[], more: object = {}): Promise<string> => {
    const { id } = await call<{ id: string }>(request, player, "POST", "/matches", { game, seats, clock: { kind: "ready" }, ...more });
    await call(request, player, "POST", `/matches/${id}/join`, { kind: "human" });
    return id;
  };
  const seats: Record<string, string> = {};
  for (const game of Object.keys(stock.small)) {
    seats[game] = await create(game, [{ kind: "open" }, bot, bot, bot]);
    for (let turn = 0; turn < 4; turn++) await playTurn(request, player, seats[game]);
  }
  const lobby = await create("hive", [{ kind: "open" }, { kind: "open" }, bot], { name: "Hive for friends" });
  const over = await create("colorfight", [{ kind: "open" }, bot], { config: { width: 12, height: 12, max_turn: 10 } });
  for (let turn = 0; turn < 9; turn++) await playTurn(request, player, over);
  return { player, seats, lobby, over };
}

/** The page has what it loads: no network request for a moment, and no word of loading. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle", { timeout: 3000 }).catch(() => undefined); // a live match never ceases
  await expect(page.getByText(/(Loading|Looking|Setting up|Opening|Reading)\b.*…/)).toHaveCount(0);
  await page.waitForTimeout(250);
}

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const theme of ["dark", "light"]) {
    test.describe(`${size} ${theme}`, () => {
      // The address of no page is answered with 404.
      test.use({ viewport, hasTouch: viewport.width < 600, expected: /status of 404/ });
      test.setTimeout(900_000);

      test(`every page at ${size} in the ${theme} theme`, async ({ page, request }) => {
        prepared ??= await prepare(request);
        const { player, seats, lobby, over } = prepared;
        await page.addInitScript((theme) => localStorage.setItem("marchland.theme", theme), theme);
        const look = async (name: string, address: string): Promise<void> => {
          await page.goto(address);
          await settle(page);
          await page.screenshot({ path: `test-results/screens/${name} ${size} ${theme}.png` });
          expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), `${name} is too wide`).toBeLessThanOrEqual(viewport.width);
          await test.step(name, () => accessible(page));
        };
        for (const [name, address] of [
          ["home", "/"],
          ["new match", "/play"],
          ["archive", "/replays"],
          ["open file", "/replay"],
          ["account of no one", "/account"],
          ["docs", "/docs"],
          ["docs playing", "/docs/playing"],
          ["docs hive", "/docs/games/hive"],
          ["docs API", "/docs/api"],
          ["no such page", "/nothing"],
          ["sign in to organise", "/organise"],
          ["finished match", `/match/${stock.over["colorfight"]}`],
          ["finished match hive", `/match/${stock.over["hive"]}?turn=20`],
          ["large board", `/match/${stock.large}`],
        ] as const)
          await look(name, address);
        await become(page, player);
        await look("account", "/account");
        for (const [game, id] of Object.entries(seats)) await look(`play ${game}`, `/play/${id}`);
        await look("lobby", `/play/${lobby}`);
        await look("end of a match", `/play/${over}`);
        await look("play from here", `/play?fork=${stock.over["hive"]}&turn=10`);
        await become(page, ADMIN);
        for (const [game, id] of Object.entries(seats)) await look(`watch ${game}`, `/match/${id}`);
        for (const section of SECTIONS) await look(`organise ${section}`, `/organise/${section}`);
        for (const [name, address] of [
          ["new room", "/organise/rooms/new"],
          ["new round", "/organise/rounds/new"],
          ["new template", "/organise/ledger/new"],
          ["map editor hive", "/organise/maps/hive:tiny"],
          ["map editor boidvoid", "/organise/maps/boidvoid:duel"],
        ] as const)
          await look(name, address);
      });
    });
  }
}
