import { accessible, boardReady, expect, picture, stock, test } from "./support";
import { become, call, person, playTurn, seated } from "./seating";

const HEADERS = { Authorization: `Bearer ${stock.organiser}` };

test("every link between documents leads to a page, and example bots can be read and downloaded", async ({ page }) => {
  await page.goto("/docs");
  const documents = await page.getByRole("navigation", { name: "Documents" }).getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  const broken: string[] = [];
  const programs = new Set<string>();
  for (const address of documents.filter((document) => document !== "/docs/api")) {
    await page.goto(address);
    await page.locator("article h1").waitFor();
    for (const link of await page.locator("article a").evaluateAll((links) => links.map((node) => node.getAttribute("href") ?? ""))) {
      if (link.startsWith("/docs/examples/")) programs.add(link);
      else if (!/^(https?:|#|\/)/.test(link)) broken.push(`${address}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
  expect([...programs].sort()).toEqual(["/docs/examples/bots/frontier.c", "/docs/examples/bots/frontier.js", "/docs/examples/bots/frontier.py"]);
  for (const [address, words] of [["c", "int main"], ["js", "process.stdin"], ["py", "import"]]) {
    await page.goto(`/docs/examples/bots/frontier.${address}`);
    await expect(page.locator("pre")).toContainText(words as string);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download" }).click();
    expect((await download).suggestedFilename()).toBe(`frontier.${address}`);
  }
  await accessible(page);
});

test("a match in the fog says when it opens, who plays it, and opens by itself when it is over", async ({ page, request }) => {
  const { who, match } = await seated(page, request, "datspulse", { config: { radius: 12, ant_limit: 12, max_turn: 3 } });
  await page.goto(`/match/${match}`);
  await expect(page.getByText("This match is hidden while it runs.")).toBeVisible();
  await expect(page.getByText("spectators see all of it when it is over")).toBeVisible();
  await expect(page.getByText("Now at turn 1 of 3.")).toBeVisible();
  await expect(page.locator(".left ol li .name")).toHaveCount(2);
  await expect(page.getByText("There is nothing to show yet.")).toHaveCount(0);
  await picture(page, "dead ends fog");
  await accessible(page);
  await page.locator(".middle").getByRole("link", { name: "Back to your seat" }).click();
  await page.getByRole("button", { name: /^Ready/, disabled: false }).waitFor();
  await page.goto(`/match/${match}`);
  await expect(page.getByText("This match is hidden while it runs.")).toBeVisible();
  for (let turn = 1; turn <= 3; turn++) await playTurn(request, who, match);
  await expect(page.getByText("This match is hidden while it runs.")).toBeHidden();
  await boardReady(page);
});

test("a finished match of a room leads to the next one", async ({ page, request }) => {
  const name = `short ${Date.now()}`;
  const template = { game: "hive", seats: [{ kind: "builtin", bot: "greedy" }, { kind: "builtin", bot: "greedy" }], clock: { kind: "every", seconds: 0.05, early: false }, spectator_delay: 0, ...stock.small["hive"] };
  expect((await request.post("/api/v1/rooms", { headers: HEADERS, data: { name, template, pause: 1 } })).ok()).toBe(true);
  const current = async (): Promise<string | null> => ((await (await request.get("/api/v1/rooms")).json()) as { name: string; match: string | null }[]).find((room) => room.name === name)?.match ?? null;
  await expect.poll(current).not.toBeNull();
  const first = (await current()) as string;
  await page.goto(`/match/${first}`);
  await boardReady(page);
  const next = page.getByRole("link", { name: "Next match" });
  await expect(next).toBeVisible({ timeout: 60_000 });
  await picture(page, "dead ends next match");
  expect((await request.patch(`/api/v1/rooms/${encodeURIComponent(name)}`, { headers: HEADERS, data: { open: false } })).ok()).toBe(true);
  await next.click();
  await expect(page).not.toHaveURL(new RegExp(first));
  await boardReady(page);
});

test.describe("the archive of replays", () => {
  test("is searched by game, player and date, page by page", async ({ page, request }) => {
    const who = await person(request);
    const { name } = await call<{ name: string }>(request, who, "GET", "/me");
    const { id } = await call<{ id: string }>(request, who, "POST", "/matches", { game: "hive", name: "hive of one", seats: [{ kind: "open" }, { kind: "builtin", bot: "idle" }], clock: { kind: "ready" }, ...stock.small["hive"], config: { start_flowers: 40, max_turn: 2 } });
    await call(request, who, "POST", `/matches/${id}/join`, { kind: "human" });
    for (let turn = 0; turn < 2; turn++) await playTurn(request, who, id);
    await become(page, who);
    await page.goto("/");
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Replays" }).click();
    await expect(page).toHaveURL(/\/replays$/);
    const found = page.getByRole("list", { name: "Replays" }).getByRole("listitem");
    await expect(found.first()).toBeVisible();
    await picture(page, "archive");
    await accessible(page);
    await page.getByLabel("Player").fill(name.toUpperCase());
    await page.getByRole("button", { name: "Search" }).click();
    await expect(found).toHaveCount(1);
    await expect(found).toContainText("Hive of one");
    await page.reload();
    await expect(found).toHaveCount(1);
    await page.getByLabel("Game").selectOption("colorfight");
    await expect(page.getByText("No finished match is like that.")).toBeVisible();
    await page.getByRole("button", { name: "Show all replays" }).click();
    await page.getByLabel("To").fill("2001-01-01");
    await expect(page.getByText("No finished match is like that.")).toBeVisible();
    await page.getByRole("button", { name: "Clear" }).click();
    await found.filter({ hasText: "Hive of one" }).first().click();
    await boardReady(page);
  });
});

test("a player opens the maps, and sees no button to save one", async ({ page, request }) => {
  await become(page, await person(request));
  await page.goto("/organise/maps");
  await page.getByRole("link", { name: /New map/ }).first().click();
  await expect(page.getByText("Organisers save maps.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save", exact: true })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Play on this map" })).toBeVisible();
});

test.describe("offline", () => {
  test.use({ expected: /ERR_INTERNET_DISCONNECTED/ });

  test("turns that were played during an outage are in the charts afterwards", async ({ page, request, context }) => {
    const { who, match } = await seated(page, request, "colorfight");
    const charted = (): Promise<number> => page.evaluate(() => (window as unknown as { marchland: { viewer: { view: { stats: { figures: Map<number, unknown> } } } } }).marchland.viewer.view.stats.figures.size);
    await playTurn(request, who, match);
    await expect.poll(charted).toBe(2);
    await context.setOffline(true);
    await page.evaluate(() => (window as unknown as { marchland: { viewer: { view: { live: { socket: WebSocket } } } } }).marchland.viewer.view.live.socket.close());
    await page.getByText("The connection is lost.").waitFor();
    for (let count = 0; count < 5; count++) await playTurn(request, who, match);
    await context.setOffline(false);
    await page.getByText("The connection is lost.").waitFor({ state: "hidden" });
    await expect.poll(charted).toBe(7);
  });
});
