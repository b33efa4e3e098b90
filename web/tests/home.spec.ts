import { liveMatches } from "./live";
import { accessible, expect, picture, stock, test } from "./support";

const live = liveMatches();

test("the first page shows every running match moving, and what was played", async ({ page }) => {
  await page.goto("/");
  const now = page.getByRole("region", { name: "Live now" });
  for (const id of Object.values(live)) await expect(now.locator(`a[href="/match/${id}"] canvas`)).toBeVisible();
  const card = now.locator(`a[href="/match/${live["colorfight"]}"]`);
  const turn = async (): Promise<number> => Number(/Turn (\d+)/.exec(await card.innerText())?.[1]);
  const before = await turn();
  await expect.poll(turn).toBeGreaterThan(before);
  await expect(page.getByRole("region", { name: "Recent replays" }).locator("canvas").first()).toBeVisible();
  await picture(page, "home");
  await accessible(page);
  await card.click();
  await expect(page).toHaveURL(/\/match\//);
  await page.goBack();
  await expect(now).toBeVisible();
});

test("rooms, rounds and standings are on the first page, from the lobby to the points", async ({ page }) => {
  const headers = { Authorization: `Bearer ${stock.organiser}` };
  const bots = (count: number): object[] => Array.from({ length: count }, () => ({ kind: "builtin", bot: "greedy" }));
  const template = { game: "colorfight", seats: bots(1), config: { width: 12, height: 12, max_turn: 3 }, clock: { kind: "every", seconds: 0.2 }, spectator_delay: 0 };
  const mark = String(Date.now() % 1e6);
  const room = { name: `colorfight ${mark}`, template: { ...template, seats: [{ kind: "open" }, ...bots(1)] } };
  const round = { name: `cup ${mark}`, kind: "final", template, starts: Date.now() / 1000 + 300, lobby: 600 };
  expect((await page.request.post("/api/v1/rooms", { headers, data: room })).ok()).toBe(true);
  const { id } = (await (await page.request.post("/api/v1/rounds", { headers, data: round })).json()) as { id: string };

  // A stranger sees the countdown and a way in.
  await page.goto("/");
  const rounds = page.getByRole("region", { name: "Rounds" });
  const cup = rounds.getByRole("listitem").filter({ hasText: round.name });
  await expect(cup).toContainText("starts in");
  await expect(cup.getByRole("link", { name: "Sign in" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Rooms" }).getByRole("listitem").filter({ hasText: `Colorfight ${mark}` }).getByRole("link", { name: "Join" })).toBeVisible();

  // The signed-in account registers, and has points once the round was played, which is now.
  await page.evaluate((token) => localStorage.setItem("marchland.token", token), stock.organiser);
  await page.reload();
  await cup.getByRole("button", { name: /Register/ }).click();
  await expect(cup).toContainText("You are in");
  await expect(cup).toContainText("1 player registered");
  await picture(page, "home rounds");
  await accessible(page);
  expect((await page.request.patch(`/api/v1/rounds/${id}`, { headers, data: { starts: Date.now() / 1000 + 0.5 } })).ok()).toBe(true);
  await expect(cup).toBeHidden({ timeout: 40_000 });
  await page.reload();
  const standings = page.getByRole("region", { name: "Standings" });
  await standings.getByRole("button", { name: "Colorfight" }).click();
  await expect(standings.getByRole("row", { name: /organiser/ })).toContainText(/\d+/);
  await page.request.delete(`/api/v1/rooms/${encodeURIComponent(room.name)}`, { headers });
});

test("the light theme is as readable", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Change between dark and light" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await expect(page.getByRole("region", { name: "Live now" }).locator("canvas").first()).toBeVisible();
  await picture(page, "home light");
  await accessible(page);
});

test.describe("what is not there", () => {
  test.use({ expected: /status of 404/ });

  test("is reported, with a way back", async ({ page }) => {
    await page.goto("/match/nothing-like-this");
    await expect(page.getByText("There is nothing to show yet.")).toBeVisible();
    await picture(page, "no such match");
    await page.getByRole("link", { name: "All matches" }).last().click();
    await expect(page).toHaveURL("/");
    for (const address of ["/nowhere", "/constructor"]) {
      await page.goto(address);
      await expect(page.getByText("There is no such page.")).toBeVisible();
    }
    await picture(page, "no such page");
  });
});

test("the documents are in the app, from the rules to the API", async ({ page }) => {
  await page.goto("/docs");
  for (const game of Object.keys(stock.small)) await expect(page.getByRole("navigation", { name: "Documents" }).getByRole("link", { name: game })).toBeVisible();
  await page.getByRole("navigation", { name: "Documents" }).getByRole("link", { name: "Hive" }).click();
  await expect(page.getByRole("article").getByRole("heading", { level: 1 })).toBeVisible();
  await picture(page, "docs");
  await accessible(page);
  await page.getByRole("link", { name: "API reference" }).click();
  await page.getByText("/api/v1/matches/{match_id}/frames").click();
  await expect(page.getByText("A key frame of turn").first()).toBeVisible();
  await picture(page, "api");
  await accessible(page);
  await page.getByRole("link", { name: "Write a bot in five minutes" }).click();
  await expect(page.getByRole("article")).toContainText("play");
  await page.goto("/docs/games/hive#history");
  await expect(page.getByRole("heading", { name: "History" })).toBeInViewport();
});
