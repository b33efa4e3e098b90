import { accessible, expect, picture, stock, test } from "./support";

test("the first page shows every running match moving, and what was played", async ({ page }) => {
  await page.goto("/");
  const live = page.getByRole("region", { name: "Live now" });
  for (const id of Object.values(stock.live)) await expect(live.locator(`a[href="/match/${id}"] canvas`)).toBeVisible();
  const card = live.locator(`a[href="/match/${stock.live["colorfight"]}"]`);
  const turn = async (): Promise<number> => Number(/Turn (\d+)/.exec(await card.innerText())?.[1]);
  const before = await turn();
  await expect.poll(turn).toBeGreaterThan(before);
  await expect(page.getByRole("region", { name: "Recent replays" }).locator("canvas").first()).toBeVisible();
  await picture(page, "home");
  await accessible(page);
  await card.click();
  await expect(page).toHaveURL(/\/match\//);
  await page.goBack();
  await expect(live).toBeVisible();
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

  test("is told about, and a way back is shown", async ({ page }) => {
    await page.goto("/match/nothing-like-this");
    await expect(page.getByText("There is nothing to show yet.")).toBeVisible();
    await picture(page, "no such match");
    await page.getByRole("link", { name: "All matches" }).last().click();
    await expect(page).toHaveURL("/");
    await page.goto("/nowhere");
    await expect(page.getByText("There is no such page.")).toBeVisible();
  });
});

test("the documents are in the app, from the rules to the API", async ({ page }) => {
  await page.goto("/docs");
  for (const game of Object.keys(stock.live)) await expect(page.getByRole("navigation", { name: "Documents" }).getByRole("link", { name: game })).toBeVisible();
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
});
