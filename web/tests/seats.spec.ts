import { accessible, boardReady, expect, picture, stock, test, turnOf, turns } from "./support";
import { become, call, editor, nickname, person, queue, seated } from "./seating";
import type { APIRequestContext } from "@playwright/test";
import type { Person } from "./seating";

test("a game is chosen, a name is asked once, and the board stands", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Play", exact: true }).last().click();
  await expect(page.getByRole("radio")).toHaveCount(Object.keys(stock.small).length + 2);
  await page.getByText("Enova Conquest", { exact: true }).click();
  await page.getByRole("spinbutton", { name: "Number of bots" }).fill("2");
  await picture(page, "play start");
  await accessible(page);
  await page.getByRole("textbox", { name: "Your name" }).fill(nickname());
  await page.getByRole("button", { name: "Play Enova" }).click();
  await boardReady(page);
  await expect(page).toHaveURL(/\/play\/\w+$/);
  await expect(page.locator(".left ol li .name")).toHaveCount(3);
  await page.goto("/play");
  await expect(page.getByText("You play as Ada")).toBeVisible();
});

test.describe("with a password", () => {
  test.use({ expected: /status of 403/ });

  test("a lobby says what it waits for, and becomes the board when it starts", async ({ page, request, browser, baseURL }) => {
    const who = await person(request);
    const seats = [{ kind: "open" }, { kind: "open" }, { kind: "open" }];
    const { id } = await call<{ id: string }>(request, who, "POST", "/matches", { game: "enova", seats, clock: { kind: "ready" }, password: "hush" });
    await become(page, who);
    await page.goto(`/play/${id}`);
    await page.getByLabel("The match's password").fill("loud");
    await page.getByRole("button", { name: "Take a seat" }).click();
    await expect(page.getByRole("alert")).toContainText("password");
    await page.getByLabel("The match's password").fill("hush");
    await page.getByRole("button", { name: "Take a seat" }).click();
    await expect(page.getByText(/It starts when the 2 open seats are taken/)).toBeVisible();
    const other = await browser.newPage({ ...(baseURL === undefined ? {} : { baseURL }) });
    await other.goto(`/play/${id}`);
    await other.getByRole("textbox", { name: "Your name" }).fill(nickname());
    await other.getByLabel("The match's password").fill("hush");
    await other.getByRole("button", { name: "Take a seat" }).click();
    await expect(page.getByText(/It starts when the open seat is taken/)).toBeVisible();
    await picture(page, "play lobby");
    await accessible(page);
    await page.getByRole("button", { name: "Start now" }).click();
    await boardReady(page);
    await boardReady(other);
    await other.close();
  });
});

test("any turn can be played on, in any seat", async ({ page, request }) => {
  const who = await person(request);
  const seats = [{ kind: "builtin", bot: "greedy" }, { kind: "builtin", bot: "greedy" }];
  const { id } = await call<{ id: string }>(request, who, "POST", "/matches", { game: "colorfight", seats, clock: { kind: "ready" }, ...stock.small["colorfight"] });
  await become(page, who);
  await expect.poll(async () => (await call<{ state: string }>(request, who, "GET", `/matches/${id}`)).state).toBe("over");
  await page.goto(`/match/${id}?turn=20`);
  await boardReady(page);
  await turns(page).toBe(20);
  await page.keyboard.press("f");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Play", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Play", exact: true })).toBeVisible();
  await page.goBack();
  await page.getByRole("radio", { name: "greedy 2" }).check({ force: true });
  await picture(page, "play fork");
  await accessible(page);
  await page.getByRole("button", { name: "Play from here" }).click();
  await boardReady(page);
  await expect(page.getByText("You are greedy 2")).toBeVisible();
  await turns(page).toBe(20);
  await page.getByRole("button", { name: /^Ready/ }).click();
  await turns(page).toBeGreaterThan(20);
});

test("the end shows places and links; a clock counts down until then", async ({ page, request }) => {
  const { who, match } = await seated(page, request, "hive", { map: "tiny", config: { max_turn: 3 }, clock: { kind: "every", seconds: 2 } });
  await expect(page.getByRole("timer")).toHaveText(/\d/);
  await expect(page.getByText("You missed this turn")).toBeVisible();
  const end = page.getByRole("region", { name: /^You (win|are|share)/ });
  while (!(await end.isVisible())) {
    const turn = await turnOf(page);
    if (await page.getByRole("button", { name: /^Ready/ }).isEnabled()) await page.keyboard.press("Shift+Enter");
    await expect.poll(async () => (await turnOf(page)) > turn || (await end.isVisible())).toBe(true);
  }
  await expect(end.getByRole("row")).toHaveCount(3);
  await picture(page, "play end");
  await accessible(page);
  await end.getByRole("button", { name: "Play again" }).click();
  await expect(page.getByRole("button", { name: /^Ready/ })).toBeEnabled();
  const again = page.url().split("/").at(-1) ?? "";
  expect(again).not.toBe(match);
  const made = async (id: string): Promise<unknown> => {
    const { config, clock, seats } = await call<{ config: object; clock: object; seats: { kind: string; bot?: string; name: string }[] }>(request, who, "GET", `/matches/${id}`);
    const { board } = await call<{ board: object }>(request, who, "GET", `/matches/${id}/legend`);
    return { config, clock, board, seats: seats.map(({ kind, bot, name }) => [kind, bot, name]) };
  };
  expect(await made(again)).toEqual(await made(match));
});

test("a player who has lost everything sees so, and watches on", async ({ page, request }) => {
  const [victim, victor] = [await person(request), await person(request)];
  const seats = [{ kind: "open" }, { kind: "open" }, { kind: "builtin", bot: "idle" }];
  const body = { game: "enova", seats, clock: { kind: "ready" }, map: "01..2\n", config: { killed_percent: 100 } };
  const { id } = await call<{ id: string }>(request, victim, "POST", "/matches", body);
  for (const [seat, who] of [victim, victor].entries()) await call(request, who, "POST", `/matches/${id}/join`, { kind: "human", seat });
  await become(page, victim);
  await page.goto(`/play/${id}`);
  await boardReady(page);
  const before = await turnOf(page);
  const order = (who: typeof victim, turn: number, ...orders: object[]): Promise<unknown> => call(request, who, "POST", `/matches/${id}/orders`, { orders, turn, key: `turn ${turn}` });
  // All units run into a wall of shields; then only newly produced ones guard the castle.
  await order(victim, before, { do: "move", from: [0, 0], to: [1, 0] });
  await order(victor, before, { do: "defend", at: [1, 0] });
  await turns(page).toBe(before + 1);
  await expect(page.getByText("You are out.")).toBeHidden();
  await order(victim, before + 1);
  await order(victor, before + 1, { do: "move", from: [1, 0], to: [0, 0] });
  await expect(page.getByText("You are out.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Ready/ })).toBeHidden();
  await expect(page.getByRole("heading", { name: "Your orders" })).toBeHidden();
  await picture(page, "play out");
  await accessible(page);
  await order(victor, before + 2);
  await turns(page).toBe(before + 3);
  await expect(page.getByText("You are out.")).toBeVisible();
});

/** A running match with one open seat, which others than its creator may take only if `late_joiners` says so. */
async function runningMatch(request: APIRequestContext, who: Person, more: object = {}): Promise<string> {
  const seats = [{ kind: "open" }, { kind: "builtin", bot: "idle" }];
  const clock = { kind: "every", seconds: 30, early: false };
  const { id } = await call<{ id: string }>(request, who, "POST", "/matches", { game: "colorfight", seats, clock, auto_start: false, ...stock.small["colorfight"], ...more });
  await call(request, who, "POST", `/matches/${id}/start`);
  return id;
}

test("a visitor without a seat is offered one, or to watch", async ({ page, request }) => {
  const id = await runningMatch(request, await person(request), { late_joiners: true });
  await page.goto(`/match/${id}`);
  await boardReady(page);
  await page.getByRole("link", { name: "Take a seat" }).click();
  await expect(page.getByRole("link", { name: "Watch" })).toBeVisible();
  await picture(page, "play offer");
  await accessible(page);
  await page.getByRole("textbox", { name: "Your name" }).fill(nickname());
  await page.getByRole("button", { name: "Take a seat" }).click();
  await boardReady(page);
  await expect(page.getByRole("button", { name: /^Ready/ })).toBeEnabled();
});

test("a match that is closed to late joiners offers a visitor to watch, and its creator a seat", async ({ page, request }) => {
  const creator = await person(request);
  const id = await runningMatch(request, creator);
  await page.goto(`/play/${id}`);
  await expect(page.getByText("This match is closed to late joiners")).toBeVisible();
  await expect(page.getByRole("button", { name: "Take a seat" })).toHaveCount(0);
  await picture(page, "play closed");
  await accessible(page);
  await page.getByRole("link", { name: "Watch" }).click();
  await boardReady(page);
  await expect(page.getByRole("link", { name: "Take a seat" })).toHaveCount(0);
  await become(page, creator);
  await page.reload();
  await page.getByRole("link", { name: "Take a seat" }).click();
  await page.getByRole("button", { name: "Take a seat" }).click();
  await expect(page.getByRole("button", { name: /^Ready/ })).toBeEnabled();
});

test.describe("closed while a visitor looks at the offer", () => {
  test.use({ expected: /status of 409/ });

  test("the page says why there is no seat, and still offers to watch", async ({ page, request }) => {
    const creator = await person(request);
    const id = await runningMatch(request, creator, { late_joiners: true });
    await page.goto(`/play/${id}`);
    await page.getByRole("textbox", { name: "Your name" }).fill(nickname());
    await call(request, creator, "PATCH", `/matches/${id}`, { late_joiners: false });
    await page.getByRole("button", { name: "Take a seat" }).click();
    await expect(page.getByRole("alert")).toContainText("closed to late joiners");
    await expect(page.getByRole("link", { name: "Watch" })).toBeVisible();
  });
});

test("with several seats one chooses, and a lost connection brings everything back", async ({ page, request }) => {
  const who = await person(request);
  const seats = [{ kind: "open" }, { kind: "open" }];
  const { id } = await call<{ id: string }>(request, who, "POST", "/matches", { game: "hive", seats, clock: { kind: "ready" }, ...stock.small["hive"] });
  for (const seat of [0, 1]) await call(request, who, "POST", `/matches/${id}/join`, { kind: "human", seat });
  await become(page, who);
  await page.goto(`/play/${id}`);
  await page.locator(".seats button").last().click();
  await boardReady(page);
  await page.keyboard.press("m");
  await page.keyboard.press(await editor(page).locator(".rose kbd").first().innerText());
  await page.keyboard.press("Enter");
  await expect(queue(page)).toHaveCount(1);
  await expect(page.getByText("sent", { exact: true }).first()).toBeVisible();
  await page.evaluate(() => {
    const { marchland } = window as unknown as { marchland: { viewer: { view: { live: { socket: WebSocket } } } } };
    marchland.viewer.view.live.socket.close();
  });
  await expect(page.getByText("The connection is lost")).toBeVisible();
  await expect(page.getByText("The connection is lost")).toBeHidden();
  await expect(queue(page)).toHaveCount(1);
  await call(request, who, "POST", `/matches/${id}/orders`, { orders: [], key: "zero", seat: 0 });
  await page.keyboard.press("Shift+Enter");
  await expect(page.getByRole("region", { name: "Results" }).getByRole("listitem").filter({ hasText: /done|failed/ })).toHaveCount(1);
});
