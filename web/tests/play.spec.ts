import type { Page } from "@playwright/test";
import { accessible, boardReady, expect, picture, stock, test, turnOf, turns } from "./support";
import { become, call, editor, person, pickable, queue, seated } from "./seating";

const GAMES = Object.keys(stock.small);
const verbs = (page: Page) => page.getByRole("toolbar", { name: "Orders" }).locator('button[aria-disabled="false"]');

/** Pick for every parameter the first that is offered, until the order is given. */
async function fill(page: Page, pick: () => Promise<void>): Promise<void> {
  for (let count = 0; count < 8; count++) {
    await expect(editor(page).getByText("Loading …", { exact: true })).toBeHidden();
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

/** The order is held, the turn ends, and its result is shown. */
async function finish(page: Page, before: number, name: string, ready: () => Promise<void>): Promise<void> {
  const results = page.getByRole("region", { name: "Results" }).getByRole("listitem");
  const atOnce = (await page.getByRole("list", { name: /^Orders of turn/ }).count()) === 0;
  if (atOnce) {
    await expect(page.getByRole("region", { name: "What it did" })).toBeVisible();
    await expect(results.filter({ hasText: "done" })).toHaveCount(1);
  } else await expect(queue(page)).toHaveCount(1);
  await ready();
  await turns(page).toBeGreaterThan(before);
  await expect(results.filter({ hasText: /done|no effect|refused/ })).toHaveCount(1);
  await picture(page, `play ${name} result`);
}

test("what the server holds is there again after a reload, and can be reordered and taken back", async ({ page, request }) => {
  const { who, match } = await seated(page, request, "colorfight");
  const held = async (): Promise<unknown[]> => (await call<{ orders: { at: unknown }[] }>(request, who, "GET", `/matches/${match}/orders`)).orders.map(({ at }) => at);
  for (let count = 0; count < 3; count++) {
    await page.keyboard.press("a");
    for (let steps = 0; steps <= count; steps++) await page.keyboard.press("PageDown");
    await page.keyboard.press("Enter");
    await page.getByRole("spinbutton", { name: "energy" }).fill("50");
    await page.keyboard.press("Enter");
    await expect(queue(page)).toHaveCount(count + 1);
  }
  await expect.poll(async () => (await held()).length).toBe(3);
  await expect(page.getByText("sent", { exact: true }).first()).toBeVisible();
  const before = await held();
  await page.reload();
  await boardReady(page);
  await expect(queue(page)).toHaveCount(3);
  await queue(page).first().click();
  await queue(page).first().press("Alt+ArrowDown");
  await expect.poll(held).toEqual([before[1], before[0], before[2]]);
  await queue(page).first().dragTo(queue(page).nth(1));
  await expect.poll(held).toEqual(before);
  await picture(page, "play queue");
  await page.locator(".board").focus();
  await page.keyboard.press("Backspace");
  await expect.poll(held).toEqual([before[0], before[1]]);
  await page.getByRole("button", { name: "Clear" }).click();
  await expect.poll(held).toEqual([]);
});

test("the reason of a failed order is shown, also for turns long past", async ({ page, request }) => {
  await seated(page, request, "hive");
  const wall = async (): Promise<void> => {
    await page.keyboard.press("m");
    await page.keyboard.press("d");
    await page.keyboard.press("Enter");
  };
  await wall();
  await wall();
  await expect(queue(page)).toHaveCount(2);
  await page.keyboard.press("Shift+Enter");
  const results = page.getByRole("region", { name: "Results" });
  await expect(results.getByText("1 refused")).toBeVisible();
  await expect(results.locator(".why")).not.toBeEmpty();
  const sentence = await results.locator(".why").innerText();
  await picture(page, "play failed");
  await results.getByRole("button", { name: /refused/ }).last().click();
  await page.keyboard.press("Shift+Enter");
  await expect(results.getByText("You gave no orders")).toBeVisible();
  await page.keyboard.press(",");
  await expect(page.getByText("Orders are given on the live board").first()).toBeVisible();
  await expect(results.locator(".why")).toHaveText(sentence);
  await page.reload();
  await boardReady(page);
  await page.keyboard.press(",");
  await expect(results.locator(".why")).toHaveText(sentence);
});

test("a post that comes too late is reported, and its orders wait", async ({ page, request }) => {
  const { who, match } = await seated(page, request, "enova");
  await page.keyboard.press("d");
  await page.keyboard.press("PageDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(queue(page)).toHaveCount(1);
  // The turn ends while this page hears nothing of it.
  await page.evaluate(() => {
    const { viewer } = (window as unknown as { marchland: { viewer: { onNews: unknown } } }).marchland;
    viewer.onNews = null;
  });
  await call(request, who, "POST", `/matches/${match}/orders`, { orders: [], key: "elsewhere" });
  await turns(page).toBeGreaterThan(1);
  await page.getByRole("button", { name: "Send 1" }).click();
  await expect(page.getByRole("alert")).toContainText("is closed");
  await expect(queue(page)).toHaveCount(1);
  await picture(page, "play too late");
});

test("what was not sent goes by itself before the turn closes", async ({ page, request }) => {
  await seated(page, request, "enova", { clock: { kind: "every", seconds: 4, early: false } });
  const before = await turnOf(page);
  await turns(page).toBeGreaterThan(before);
  await page.keyboard.press("d");
  await page.keyboard.press("PageDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Send 1" })).toBeVisible();
  const ordered = await turnOf(page);
  await expect(page.getByText("sent", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Send 1" })).toBeHidden();
  expect(await turnOf(page)).toBe(ordered);
  await expect(page.getByRole("region", { name: "Results" }).getByRole("listitem").filter({ hasText: "done" })).toHaveCount(1);
});

test.describe("on a phone, in the light", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  for (const game of GAMES)
    test(`${game} fits`, async ({ page, request }) => {
      await page.addInitScript(() => localStorage.setItem("marchland.theme", "light"));
      const who = await person(request);
      const { id } = await call<{ id: string }>(request, who, "POST", "/matches", { game, seats: [{ kind: "open" }, { kind: "builtin", bot: "idle" }], clock: { kind: "ready" }, ...stock.small[game] });
      await call(request, who, "POST", `/matches/${id}/join`, { kind: "human" });
      await become(page, who);
      await page.goto(`/play/${id}`);
      await page.getByRole("button", { name: /^Ready/, disabled: false }).waitFor();
      await verbs(page).first().click();
      await expect(editor(page)).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      await picture(page, `play phone ${game}`);
      await accessible(page);
    });
});

test("acts show what a way costs before, and a fight step by step after", async ({ page, request }) => {
  await seated(page, request, "boidvoid", { config: { ship: [5, 10, 400, 0, 30, 0, 10, 50, 0, 0, 0, 0, 0], capture_turns: 1 } });
  const order = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const did = page.getByRole("region", { name: "What it did" });
  await order("s", "1", "PageDown", "Enter", "Enter");
  await expect(did).toContainText("spawned");
  await order("Shift+Enter");
  await expect(did).toBeHidden();
  await order("m", "PageDown");
  await expect(editor(page)).toContainText(/would cost \d/);
  await picture(page, "play way");
  await order("Enter");
  await expect(editor(page)).toContainText(/costs \d/);
  await order("Enter");
  await expect(did).toContainText("moved");
  await order("a");
  await editor(page).locator(".choices button").first().click();
  await page.getByRole("button", { name: "Do it" }).click();
  await expect(did).toContainText("attacked");
  await did.getByRole("button", { name: /^Show all/ }).click();
  await expect.poll(() => did.getByRole("listitem").count()).toBeGreaterThan(4);
  await picture(page, "play fight");
  await accessible(page);
});
