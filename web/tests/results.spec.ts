/** What became of orders, and what happened meanwhile, as a player reads it. */

import { boardReady, expect, picture, test, turnOf, turns } from "./support";
import { call, queue, seated } from "./seating";

test("an attack that was repelled is not done", async ({ page, request }) => {
  await seated(page, request, "colorfight");
  await page.keyboard.press("a");
  await page.keyboard.press("PageDown");
  await page.keyboard.press("Enter");
  await page.getByRole("spinbutton", { name: "energy" }).fill("1");
  await page.keyboard.press("Enter");
  await expect(queue(page)).toHaveCount(1);
  await page.keyboard.press("Shift+Enter");
  const results = page.getByRole("region", { name: "Results" });
  await expect(results.getByText("1 without effect")).toBeVisible();
  await expect(results.getByRole("listitem")).toContainText("no effect");
  await expect(results.getByRole("listitem")).toContainText(/Repelled: 1 against \d+ needed\./);
  await expect(results.getByText("✓")).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Events" }).getByRole("listitem").first()).toHaveText(/^\s*Ada \w+ was repelled at \d+, \d+ \(1 against \d+ needed\)\s*$/);
  await picture(page, "play repelled");
  await page.reload();
  await boardReady(page);
  await expect(results.getByRole("listitem")).toContainText(/Repelled: 1 against/);
});

test("what happened in the last turn is there after a reload", async ({ page, request }) => {
  const { who, match } = await seated(page, request, "colorfight");
  const menu = await call<{ attack: { cells: [number, number][] } }>(request, who, "POST", `/matches/${match}/legal`, {});
  const [at] = menu.attack.cells;
  await call(request, who, "POST", `/matches/${match}/orders`, { orders: [{ do: "attack", at, energy: 500 }], key: "once" });
  const events = page.getByRole("region", { name: "Events" }).getByRole("listitem");
  await expect(events.first()).toContainText(`took ${at?.join(", ")}`);
  await page.reload();
  await boardReady(page);
  await expect(events.first()).toContainText(`took ${at?.join(", ")}`);
});

test("a battle is one line that opens", async ({ page, request }) => {
  const { who, match } = await seated(page, request, "enova", { map: "01\n..\n", config: { start_units: 9, turn_limit: 60 } });
  const before = await turnOf(page);
  const orders = [{ do: "move", from: [0, 0], to: [1, 0], units: 8 }];
  await call(request, who, "POST", `/matches/${match}/orders`, { orders, key: "attack" });
  await turns(page).toBeGreaterThan(before);
  const battle = page.getByRole("region", { name: "Events" }).getByRole("button", { name: "What happened in this battle" }).first();
  const line = page.getByRole("region", { name: "Events" }).getByRole("listitem").filter({ has: page.getByRole("button", { name: "What happened in this battle" }) }).first();
  await expect(line).toContainText(/Battle at \d+, \d+.*: .+ won with \d+ units?/);
  await expect(line.getByText(/rolled \d/)).toHaveCount(0);
  await battle.click();
  await expect(line.getByText(/rolled \d/).first()).toBeVisible();
  await picture(page, "play battle");
});

test("what happened since the last visit is summed up", async ({ page, request }) => {
  const seats = [{ kind: "open" }, { kind: "builtin", bot: "greedy" }];
  const { who, match } = await seated(page, request, "boidvoid", { seats });
  const missed = page.getByRole("region", { name: "Since your last visit" }).first();
  await expect(missed).toBeHidden();
  const before = await turnOf(page);
  await page.goto("/docs");
  for (let round = 0; round < 4; round++) {
    await call(request, who, "POST", `/matches/${match}/orders`, { orders: [], key: `away ${round}` });
    await expect.poll(async () => (await call<{ turn: number }>(request, who, "GET", `/matches/${match}`)).turn).toBeGreaterThan(before + round);
  }
  await page.goto(`/play/${match}`);
  await boardReady(page);
  await expect(missed.getByRole("listitem").filter({ hasText: "greedy" }).first()).toBeVisible();
  await expect(missed).toContainText(`since turn ${before}`);
  await expect(missed).not.toContainText(/#\d{6}|-1\b|undefined/);
  await picture(page, "play since last visit");
  await missed.getByRole("button", { name: /^Close/ }).click();
  await expect(missed).toBeHidden();
});
