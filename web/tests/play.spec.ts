import type { Page } from "@playwright/test";
import { accessible, boardReady, expect, picture, stock, test, turnOf } from "./support";
import { become, call, person, seated } from "./seating";

const GAMES = Object.keys(stock.small);
const editor = (page: Page) => page.getByRole("region", { name: "The order being made" });
const queue = (page: Page) => page.getByRole("list", { name: /^Orders of turn/ }).locator("button.order");
const verbs = (page: Page) => page.getByRole("toolbar", { name: "Orders" }).locator('button[aria-disabled="false"]');

/** Where the cells are on the screen that can be picked now: marked ones, else those with which an order can begin. */
async function pickable(page: Page): Promise<[number, number][]> {
  return page.evaluate(() => {
    interface Board {
      highlights: { cells: [number, number][]; style: string }[];
      scene: { grid: { centre: (column: number, row: number) => { x: number; y: number } } };
      camera: { toScreen: (x: number, y: number) => { x: number; y: number } };
    }
    const { board } = (window as unknown as { marchland: { board: Board } }).marchland;
    return board.highlights
      .filter(({ style }) => style === "fill")
      .flatMap(({ cells }) => cells)
      .map((cell): [number, number] => {
        const centre = board.scene.grid.centre(...cell);
        const at = board.camera.toScreen(centre.x, centre.y);
        return [at.x, at.y];
      });
  });
}

/** Pick for every parameter the first that is offered, until the order is given. */
async function fill(page: Page, pick: () => Promise<void>): Promise<void> {
  for (let count = 0; count < 8; count++) {
    await expect(editor(page).getByText("…", { exact: true })).toBeHidden();
    if (!(await editor(page).isVisible())) return;
    await pick();
  }
}

for (const game of GAMES) {
  test(`a turn of ${game} is played by mouse`, async ({ page, request }) => {
    await seated(page, request, game);
    const before = await turnOf(page);
    await verbs(page).first().click();
    await expect(editor(page)).toBeVisible();
    await picture(page, `play ${game} order`);
    await fill(page, async () => {
      const give = editor(page).locator("button.primary");
      if (await give.isVisible()) return give.click();
      const choices = editor(page).locator(".choices button, .rose button");
      if ((await choices.count()) > 0) return choices.first().click();
      const [cell] = await pickable(page);
      expect(cell, "a marked cell").toBeDefined();
      await page.mouse.click(...(cell as [number, number]));
    });
    await finish(page, before, game, () => page.getByRole("button", { name: /^Ready/ }).click());
    await accessible(page);
  });

  test(`a turn of ${game} is played by keyboard alone`, async ({ page, request }) => {
    await seated(page, request, game);
    const before = await turnOf(page);
    await page.keyboard.press("PageDown");
    const key = await verbs(page).locator("kbd").first().innerText();
    await page.keyboard.press(key);
    await expect(editor(page)).toBeVisible();
    await fill(page, async () => {
      const field = editor(page).locator("input:focus");
      if ((await editor(page).locator("button.primary").isVisible()) || (await field.count()) > 0) return page.keyboard.press("Enter");
      const choice = editor(page).locator(".choices kbd, .rose kbd").first();
      if (await choice.isVisible()) return page.keyboard.press(await choice.innerText());
      await page.keyboard.press("PageDown");
      await expect(page.locator("p[aria-live]")).not.toBeEmpty();
      await page.keyboard.press("Enter");
    });
    await finish(page, before, `${game} keyboard`, () => page.keyboard.press("Shift+Enter"));
  });
}

/** What was ordered is held, the turn ends, and what became of it is told. */
async function finish(page: Page, before: number, name: string, ready: () => Promise<void>): Promise<void> {
  const results = page.getByRole("region", { name: "Results" }).getByRole("listitem");
  const atOnce = (await page.getByRole("list", { name: /^Orders of turn/ }).count()) === 0;
  if (atOnce) {
    await expect(page.getByRole("region", { name: "What it did" })).toBeVisible();
    await expect(results.filter({ hasText: "done" })).toHaveCount(1);
  } else await expect(queue(page)).toHaveCount(1);
  await picture(page, `play ${name}`);
  await ready();
  await expect.poll(() => turnOf(page)).toBeGreaterThan(before);
  await expect(results.filter({ hasText: /done|failed/ })).toHaveCount(1);
  await picture(page, `play ${name} result`);
}
