import type { Locator, Page } from "@playwright/test";
import { accessible, expect, picture, test, turnOf, turns } from "./support";
import { call, editor, person, pickable, queue, seated } from "./seating";

const verb = (page: Page, name: string): Locator => page.getByRole("toolbar", { name: "Orders" }).getByRole("button", { name: new RegExp(`^${name}`) });

test("an order that destroys one's own piece picks none by itself, and asks", async ({ page, request }) => {
  await seated(page, request, "boidvoid");
  for (const key of ["s", "1", "PageDown", "Enter", "Enter"]) await page.keyboard.press(key);
  await expect(page.getByRole("region", { name: "What it did" })).toContainText("spawned");
  await page.keyboard.press("Shift+Enter");
  await verb(page, "detonate").click();
  await expect(editor(page)).toContainText("unit?");
  await editor(page).locator(".choices button").first().click();
  await expect(editor(page).getByRole("alert")).toHaveText("Destroy your own ship?");
  await expect(editor(page).locator("button.primary")).toHaveCount(0);
  await picture(page, "safety destroy");
  await accessible(page);
  await editor(page).getByRole("button", { name: "Keep it" }).click();
  await expect(editor(page)).toBeHidden();
  await verb(page, "detonate").click();
  await editor(page).locator(".choices button").first().click();
  await editor(page).getByRole("button", { name: "Detonate" }).click();
  await expect(page.getByRole("region", { name: "What it did" })).toContainText("destroyed");
});

test("fire at one's own piece is named, at another's it is not", async ({ page, request }) => {
  await seated(page, request, "hive", { map: "H0  B0  H3  .   B3" });
  const attack = async (key: string): Promise<void> => {
    await verb(page, "attack").click();
    await editor(page).getByRole("button", { name: new RegExp(`^${key}`) }).click();
  };
  await attack("W");
  await expect(editor(page).getByRole("alert")).toHaveText("Attack your own hive?");
  await page.keyboard.press("Enter"); // the focus is on the way back
  await expect(editor(page)).toBeHidden();
  await expect(queue(page)).toHaveCount(0);
  await attack("E");
  await expect(editor(page).getByRole("alert")).toHaveCount(0);
  await editor(page).locator("button.primary").click();
  await expect(queue(page)).toHaveCount(1);
});

test("ready warns about an order that is not finished, and a second time drops it", async ({ page, request }) => {
  const { who, match } = await seated(page, request, "colorfight");
  const ready = page.getByRole("button", { name: /^Ready/ });
  await verb(page, "attack").click();
  await expect.poll(async () => (await pickable(page)).length).toBeGreaterThan(0);
  await page.mouse.click(...((await pickable(page))[0] as [number, number]));
  await page.getByRole("spinbutton", { name: "energy" }).waitFor();
  const before = await turnOf(page);
  await ready.click();
  await expect(page.getByText(/You have not finished an order: attack/)).toBeVisible();
  await expect(ready).toHaveText(/^Ready without it/);
  await picture(page, "safety unfinished");
  expect((await call<{ ready: boolean }>(request, who, "GET", `/matches/${match}/orders`)).ready).toBe(false);
  await ready.click();
  await turns(page).toBeGreaterThan(before);
});

test("who is not ready yet is named beside Ready", async ({ page, request }) => {
  const other = await person(request);
  const { match } = await seated(page, request, "colorfight", { seats: [{ kind: "open" }, { kind: "open" }] }, true, other);
  const waiting = page.getByText("Waiting for Ben the slow");
  await expect(waiting).toHaveCount(0);
  const before = await turnOf(page);
  await page.getByRole("button", { name: /^Ready/ }).click();
  await expect(waiting).toBeVisible();
  await picture(page, "safety waiting");
  await accessible(page);
  await call(request, other, "POST", `/matches/${match}/orders`, { orders: [], key: "done" });
  await turns(page).toBeGreaterThan(before);
  await expect(waiting).toHaveCount(0);
});
