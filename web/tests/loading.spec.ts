import type { Page } from "@playwright/test";
import { accessible, expect, picture, stock, test } from "./support";

/** What the server would say while it compiles; the tests change it as they go on. */
type LoadingAnswer = { game: string; state: string; progress: number; error: string }[];

async function routeLoading(page: Page, answer: () => LoadingAnswer): Promise<void> {
  await page.route("**/api/v1/loading", (route) => route.fulfill({ json: answer() }));
}

const compiling = (game: string, progress: number): LoadingAnswer[number] => ({ game, state: "compiling", progress, error: "" });
const loaded = (game: string): LoadingAnswer[number] => ({ game, state: "loaded", progress: 1, error: "" });

test("the first page shows how far each game is until all are loaded", async ({ page }) => {
  let answer: LoadingAnswer = [compiling("boidvoid", 0.12), compiling("colorfight", 0.4), { ...compiling("datspulse", 0), state: "waiting" }, { ...compiling("enova", 0), state: "waiting" }, loaded("hive")];
  await routeLoading(page, () => answer);
  await page.goto("/");
  const section = page.getByRole("region", { name: "Loading games" });
  const bar = section.getByRole("progressbar", { name: "Colorfight" });
  await expect(bar).toHaveAttribute("aria-valuenow", "40");
  await expect(section.getByRole("listitem").filter({ hasText: "Colorfight" })).toContainText("40 %");
  await expect(section).toContainText("compiling rules, once on this machine");
  await expect(section.getByRole("progressbar", { name: "Hive" })).toHaveCount(0);
  await accessible(page);
  await picture(page, "loading dark");
  await page.getByRole("button", { name: "Change between dark and light" }).click();
  await accessible(page);
  await picture(page, "loading light");
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(page, "loading phone");

  answer = answer.map((entry) => (entry.game === "colorfight" ? compiling("colorfight", 0.75) : entry));
  await expect(bar).toHaveAttribute("aria-valuenow", "75");
  answer = answer.map(({ game }) => loaded(game));
  await expect(section).toHaveCount(0);
});

test("a game that cannot be compiled is named", async ({ page }) => {
  await routeLoading(page, () => [loaded("colorfight"), { game: "hive", state: "failed", progress: 0.3, error: "KernelError" }]);
  await page.goto("/");
  await expect(page.getByRole("region", { name: "Loading games" })).toContainText("could not be compiled; the server's log says why");
  await picture(page, "loading failed");
});

test.describe("a match of a game that is loading", () => {
  test.use({ expected: /status of 503/ });

  test("begins by itself when the game is loaded, and not before Retry-After", async ({ page }) => {
    let answer: LoadingAnswer = [compiling("colorfight", 0.4)];
    const asked: number[] = [];
    await routeLoading(page, () => answer);
    await page.route("**/api/v1/matches", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      asked.push(Date.now());
      if (asked.length > 2) {
        answer = [loaded("colorfight")];
        return route.continue();
      }
      return route.fulfill({ status: 503, headers: { "Retry-After": "1" }, json: { error: "loading", sentence: "The game colorfight is loading." } });
    });
    await page.addInitScript((token) => localStorage.setItem("marchland.token", token), stock.organiser);
    await page.goto("/play?game=colorfight");
    await expect(page.getByRole("progressbar", { name: "Colorfight" })).toHaveAttribute("aria-valuenow", "40");
    await page.getByRole("button", { name: "Play Colorfight" }).click();
    await expect(page.getByRole("button", { name: "Colorfight starts when it is loaded" })).toBeDisabled();
    await picture(page, "loading play");
    await expect(page).toHaveURL(/\/play\/\w+/);
    expect(asked).toHaveLength(3);
    expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThanOrEqual(1000);
  });

  test("is not started after the page was left", async ({ page }) => {
    let asked = 0;
    await routeLoading(page, () => [compiling("colorfight", 0.4)]);
    await page.route("**/api/v1/matches", (route) => {
      if (route.request().method() !== "POST") return route.continue();
      asked++;
      return route.fulfill({ status: 503, headers: { "Retry-After": "1" }, json: { error: "loading", sentence: "The game colorfight is loading." } });
    });
    await page.addInitScript((token) => localStorage.setItem("marchland.token", token), stock.organiser);
    await page.clock.install();
    await page.goto("/play?game=colorfight");
    await page.getByRole("button", { name: "Play Colorfight" }).click();
    await expect.poll(() => asked).toBe(1);
    await page.getByRole("link", { name: "Marchland" }).first().click();
    await expect(page.getByRole("region", { name: "Live now" })).toBeVisible();
    await page.clock.fastForward(5000); // past Retry-After
    await page.request.get("/healthz");
    expect(asked).toBe(1);
  });
});
