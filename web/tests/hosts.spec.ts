import { become, seated } from "./seating";
import { boardReady, expect, stock, test } from "./support";

test("no page asks any host but its own", async ({ page, request, abroad, baseURL }) => {
  let requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await become(page, { token: stock.admin, id: "" });
  const board = page.locator(".board[data-renderer]");
  const heading = page.getByRole("heading", { level: 1 }).first();
  for (const [address, shown] of [
    ["/", page.getByRole("region", { name: "Recent replays" }).locator("canvas").first()],
    [`/match/${stock.over["hive"]}`, board],
    ["/play", page.getByRole("radio").first()],
    ["/organise/matches", heading],
    ["/organise/maps", page.getByRole("link", { name: "tiny" })],
    ["/organise/maps/hive:tiny", board],
    ["/account", heading],
    ["/docs/games/hive", heading],
    ["/replay", page.getByText("Drop a")],
  ] as const) {
    requested = [];
    await page.goto(address);
    await expect(shown).toBeVisible();
    expect(requested.filter((url) => url.startsWith(baseURL ?? "")).length, address).toBeGreaterThan(0);
  }
  await page.getByLabel("Replay file").setInputFiles(stock.replay);
  await boardReady(page);
  await seated(page, request, "hive");
  expect(abroad).toEqual([]);
});
