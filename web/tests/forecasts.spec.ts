/** Figures where decisions are made: what an order would do, what there is to give orders with, why a verb is not possible. */

import type { Page } from "@playwright/test";
import { accessible, expect, picture, test } from "./support";
import { call, editor, person, pickable, pieceOnScreen, queue, seated } from "./seating";

const verb = (page: Page, name: string) => page.getByRole("toolbar", { name: "Orders" }).getByRole("button", { name: new RegExp(`^${name}`) });
const labels = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { marchland: { board: { highlights: { labels?: string[] }[] } } }).marchland.board.highlights.flatMap(({ labels }) => labels ?? []));

async function clickMark(page: Page, index = 0): Promise<void> {
  await expect.poll(async () => (await pickable(page)).length).toBeGreaterThan(index);
  await page.mouse.click(...((await pickable(page))[index] as [number, number]));
}

test("the odds of a battle are at its arrow, follow the number, and stay with the order", async ({ page, request }) => {
  await seated(page, request, "enova", { map: "01\n..\n", config: { start_units: 9, turn_limit: 60 } });
  const strip = page.getByRole("list", { name: "What you have" });
  await expect(strip).toHaveText("units 10 +1");
  await verb(page, "move").click();
  await clickMark(page);
  await expect.poll(() => labels(page)).toContain("50 %");
  const targets = await labels(page);
  await clickMark(page, targets.findIndex((label) => label === "50 %"));
  await expect(editor(page)).toContainText("50 % to win against 10 units, 0 % if they defend");
  await page.getByRole("spinbutton", { name: "units" }).fill("8");
  await expect(editor(page)).toContainText("7 % to win against 10 units");
  await expect.poll(() => labels(page)).toContain("8 · 7 %");
  await picture(page, "forecast enova");
  await page.getByRole("spinbutton", { name: "units" }).fill("5");
  await expect(editor(page).locator(".forecast.danger")).toContainText("0 % to win");
  await page.keyboard.press("Enter");
  await expect(queue(page)).toContainText("0 % to win against 10 units");
  await expect(queue(page).locator(".danger")).toBeVisible();
  await expect(strip).toHaveText("units 10 · ordered 5 · left 5");
  await accessible(page);
});

test("an attack of BoidVoid says its damage; the inspector shows strength, battery, team, task and name", async ({ page, request }) => {
  const other = await person(request);
  const map = { width: 6, height: 3, tiles: ["......", "......", "......"], homes: [[[0, 1], [1, 1]], [[3, 1], [4, 1]]] };
  const { who, match } = await seated(page, request, "boidvoid", { map, config: { turn_limit: 60, start_hulls: 1 }, seats: [{ kind: "open" }, { kind: "open" }], team_names: ["Comets", "Dust"] }, true, other);
  const act = (player: typeof who, key: string, order: object): Promise<unknown> => call(request, player, "POST", `/matches/${match}/act`, { order, key });
  await page.getByRole("button", { name: /^\d+ more/ }).click();
  await verb(page, "move").click({ force: true }); // it is marked as disabled
  await expect(page.getByRole("status").filter({ hasText: "Your unit is not on the map: it has yet to spawn." }).first()).toBeVisible();
  await act(who, "mother", { do: "spawn", unit: 1_000_000, at: [0, 1] });
  await act(who, "ship", { do: "spawn", unit: 0, at: [1, 1] });
  await act(other, "ship", { do: "spawn", unit: 1, at: [3, 1] });
  for (const player of [who, other]) await call(request, player, "POST", `/matches/${match}/orders`, { orders: [], key: "turn" });
  await expect(page.getByRole("list", { name: "What you have" })).toHaveText(/^action points \d+ \+\d+\s*battery \d+ \+\d+$/);
  await verb(page, "attack").click();
  await expect(editor(page).getByRole("button", { name: /Ben the slow's ship/ })).toContainText(/\d+(-\d+)?/);
  await expect.poll(async () => (await labels(page)).some((label) => /^[\d.]+(-[\d.]+)?$/.test(label))).toBe(true);
  await editor(page).getByRole("button", { name: /Ben the slow's ship/ }).click();
  await expect(editor(page)).toContainText(/[\d.]+(-[\d.]+)? damage( \(\d+ % critical\))? against \d+ shields and defense, \d+ health/);
  await picture(page, "forecast boidvoid");
  await page.keyboard.press("Escape");
  await act(who, "go", { do: "move", unit: 0, to: [2, 1] });
  await act(who, "take", { do: "capture", unit: 0 });
  const task = (): Promise<unknown> =>
    page.evaluate(() => {
      interface Board {
        scene: { pieces: Map<number, unknown>; progressOf: (piece: unknown) => unknown };
      }
      const { scene } = (window as unknown as { marchland: { board: Board } }).marchland.board;
      return scene.progressOf(scene.pieces.get(0));
    });
  await expect.poll(task).toEqual({ left: 2, total: 2 });
  await page.mouse.click(...(await pieceOnScreen(page, 0)));
  const card = page.locator(".inspector .piece");
  for (const line of [/team\s*Comets/, /battery for attacks \(%\)\s*50/, /attack\s*\d+/, /boosts\s*0/, /task\s*capturing/, /time left\s*2 of 2 turns/]) await expect(card).toContainText(line);
  await expect(page.locator(".left .team")).toHaveText([/Comets/, /Dust/]);
  await picture(page, "inspector boidvoid");
});

test("a picked cell says what its verbs need", async ({ page, request }) => {
  await seated(page, request, "colorfight");
  const home = await page.evaluate(() => {
    interface Board {
      scene: { layers: { name: string }[]; grid: { columns: number; rows: number; centre: (column: number, row: number) => { x: number; y: number } }; value: (layer: number, column: number, row: number) => number | null };
      camera: { toScreen: (x: number, y: number) => { x: number; y: number } };
    }
    const { board } = (window as unknown as { marchland: { board: Board } }).marchland;
    const { scene } = board;
    const owner = scene.layers.findIndex(({ name }) => name === "owner");
    for (let column = 0; column < scene.grid.columns; column++)
      for (let row = 0; row < scene.grid.rows; row++)
        if (scene.value(owner, column, row) === 0) {
          const centre = scene.grid.centre(column, row);
          return board.camera.toScreen(centre.x, centre.y);
        }
    throw new Error("There is no home.");
  });
  await page.mouse.click(home.x, home.y);
  await expect(verb(page, "upgrade")).toContainText(/Needs 1,000 gold, you have \d+\./);
  await expect(verb(page, "build")).toContainText("There is a building on");
});
