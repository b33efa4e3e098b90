import { boardReady, expect, picture, stock, test } from "./support";

const HEADERS = { Authorization: `Bearer ${stock.organiser}` };

test("teams are listed in the order of the outcome, with their names and totals", async ({ page, request }) => {
  const seats = ["idle", "greedy", "idle", "greedy"].map((bot) => ({ kind: "builtin", bot }));
  const made = await request.post("/api/v1/matches", { headers: HEADERS, data: { game: "boidvoid", seats, clock: { kind: "every", seconds: 0.05, early: true }, map: "duel", config: { turn_limit: 30, start_hulls: 1 } } });
  expect(made.ok(), await made.text()).toBe(true);
  const { id } = (await made.json()) as { id: string };
  interface Info {
    state: string;
    outcome: { ranking: { name: string; place: number; figures: Record<string, number> }[] };
  }
  const info = async (): Promise<Info> => (await request.get(`/api/v1/matches/${id}`)).json() as Promise<Info>;
  await expect.poll(async () => (await info()).state, { timeout: 60_000 }).toBe("over");
  const { ranking } = (await info()).outcome;
  expect(ranking[0]?.place).not.toBe(ranking.at(-1)?.place);
  await page.goto(`/match/${id}`);
  await boardReady(page);
  const teams = page.locator(".left .team");
  await expect(teams).toHaveCount(2);
  await expect(teams.locator(".rank")).toHaveText(["1", "2"]);
  await expect(teams.first()).toContainText(`Team ${(ranking[0]?.figures["team"] ?? 0) + 1}`);
  await expect(teams.first().locator(".value")).toContainText(String(ranking[0]?.figures["tiles"]));
  expect((await page.locator(".left ol").first().locator(".name").allInnerTexts()).sort()).toEqual(ranking.filter(({ place }) => place === 1).map(({ name }) => name).sort());
  await picture(page, "ranking teams");
});

test("numbers are those of the game's own order, and another figure sorts without numbers", async ({ page, request }) => {
  await page.goto(`/match/${stock.over["colorfight"]}?turn=30`);
  await boardReady(page);
  const numbers = page.locator(".left .row .rank");
  const [frame] = (await (await request.get(`/api/v1/matches/${stock.over["colorfight"]}/frames?from=30&count=1`)).json()) as { places: number[] }[];
  await expect(numbers).toHaveText([...(frame?.places ?? [])].sort().map(String));
  await expect(numbers.first()).toHaveText("1");
  await page.getByLabel("Figure").selectOption({ label: "Energy" });
  await expect(numbers).toHaveText(["", ""]);
});
