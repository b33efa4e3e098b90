import { accessible, expect, picture, stock, test } from "./support";
import type { APIRequestContext, Page } from "@playwright/test";

const API = "/api/v1";
const WITH_TOKEN = { Authorization: `Bearer ${stock.admin}` };
const SECTIONS = ["matches", "rooms", "rounds", "seasons", "ledger", "jobs", "audit", "accounts", "tokens"];

/** What the browser itself says of an answer that a test provokes. */
const REFUSED = /status of 4\d\d/;

function day(offset: number): string {
  return new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
}

async function account(request: APIRequestContext, name: string): Promise<{ id: string; token: string }> {
  const made = (await (await request.post(`${API}/accounts`, { data: { name } })).json()) as { account: { id: string }; token: string };
  return { id: made.account.id, token: made.token };
}

async function signedIn(page: Page, path: string, token = stock.admin): Promise<void> {
  await page.addInitScript((given) => localStorage.setItem("marchland.token", given), token);
  await page.goto(`/organise/${path}`);
}

/** Finds an account by a part of its name and takes it, by keyboard alone. */
async function pick(page: Page, label: string, name: string): Promise<void> {
  await page.getByRole("combobox", { name: label }).fill(name);
  await expect(page.getByRole("option", { name })).toBeVisible();
  await page.keyboard.press("Enter");
}

test.describe("who may come in", () => {
  test.use({ expected: REFUSED });

  test("signs in with a token; a player sees the sections for players, and at the address of another who can help", async ({ page, request }) => {
    const player = await account(request, "Pat the player");
    await page.goto("/organise");
    await page.getByLabel("Token").fill("ml_nonsense");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert")).toContainText("not known");
    await picture(page, "organise sign in");
    await accessible(page);
    await page.getByLabel("Token").fill(player.token);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Your tokens" })).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Sections" }).getByRole("link")).toHaveText(["Maps", "Your tokens"]);
    await page.goto("/organise/seasons");
    await expect(page.getByText("Seasons is not for players.")).toBeVisible();
    await expect(page.getByText("an admin of this server can give it to you")).toBeVisible();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Token").fill(stock.admin);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("navigation", { name: "Sections" }).getByText("admin").first()).toBeVisible();
  });
});

test("a season, a game in it, its teams, and a turn by hand", async ({ page, request }) => {
  for (const name of ["Ada", "Ben", "Cleo", "Dan"]) await account(request, `${name} of the void`);
  await signedIn(page, "seasons");
  await page.getByRole("link", { name: "New season" }).click();
  const panel = page.getByRole("dialog");
  await panel.getByLabel("Name").fill("Winter void");
  await panel.getByLabel("First day").fill(day(-1));
  await panel.getByLabel("Last day").fill(day(30));
  await panel.getByRole("button", { name: "Plan the season" }).click();
  await expect(page.getByRole("heading", { name: "Winter void" })).toBeVisible();

  await page.getByRole("link", { name: "New game" }).click();
  await panel.getByLabel("Name", { exact: true }).fill("The great void");
  await expect(panel.locator("[data-setting=lock]")).toBeVisible();
  for (const set of ["teams", "turn_length"]) await expect(panel.locator(`[data-setting=${set}]`)).toHaveCount(0); // its season sets these
  await panel.getByLabel("Search settings").fill("actions refused");
  await expect(panel.locator("[data-setting]")).toHaveCount(1);
  await panel.getByLabel("Lock").fill("10");
  await picture(page, "organise new game");
  await panel.getByRole("button", { name: "Add the game" }).click();
  await expect(page.getByRole("heading", { name: "The great void" })).toBeVisible();
  await expect(page.getByText("It starts when it has its teams and its season is on.")).toBeVisible();

  await page.getByRole("button", { name: "Add team" }).click();
  await page.getByRole("button", { name: "Add team" }).click();
  await page.getByLabel("Name of team 1").fill("Reds");
  await page.getByLabel("Name of team 2").fill("Blues");
  await pick(page, "Add to Reds", "Ada of");
  await pick(page, "Add to Reds", "Ben of");
  await pick(page, "Add to Reds", "Cleo of");
  await page.getByRole("button", { name: "Save teams" }).click();
  await expect(page.getByRole("region", { name: "Team Blues" }).getByRole("alert")).toContainText("'Blues' has no member yet");
  await pick(page, "Add to Blues", "Dan of");
  await page.getByLabel("Role of Cleo of the void").selectOption("Vice-leader");
  await page.getByLabel("Role of Ben of the void").selectOption("Leader");
  await expect(page.getByLabel("Role of Ada of the void")).toHaveValue("trooper");
  await page.getByRole("button", { name: "Save teams" }).click();

  await expect(page.getByRole("link", { name: "Watch" })).toBeVisible({ timeout: 60_000 });
  const turn = page.getByRole("region", { name: "Match", exact: true }).getByText(/Turn \d+/);
  await expect(turn).toBeVisible({ timeout: 60_000 });
  const before = Number(/Turn (\d+)/.exec(await turn.innerText())?.[1]);
  await page.getByRole("button", { name: "Run a turn now" }).click();
  await expect(page.getByText("Turn end: done")).toBeVisible();
  await expect(turn).toContainText(`Turn ${before + 1}`);
  await picture(page, "organise season game");
  await accessible(page);

  await page.getByLabel("Length of a turn").fill("2");
  await page.getByRole("button", { name: "Set the clock" }).click();
  await expect(page.getByText("a turn ends every 2 hours")).toBeVisible();
  await page.getByRole("link", { name: "Watch" }).click();
  await expect(page).toHaveURL(/\/match\//);
});

test.describe("what cannot be", () => {
  test.use({ expected: REFUSED });

  test("an overlapping season is seen before it is refused with its reason", async ({ page }) => {
    await signedIn(page, "seasons/new");
    const panel = page.getByRole("dialog");
    await panel.getByLabel("Name").fill("Clash");
    await panel.getByLabel("First day").fill(day(20));
    await panel.getByLabel("Last day").fill(day(60));
    await expect(panel.getByText("These days overlap Winter void")).toBeVisible();
    await panel.getByRole("button", { name: "Plan the season" }).click();
    await expect(panel.getByRole("alert")).toContainText("The season 'Clash' overlaps 'Winter void'");
    await picture(page, "organise overlap");
    await panel.getByLabel("First day").fill(day(31));
    await panel.getByRole("button", { name: "Plan the season" }).click();
    await expect(page.getByRole("heading", { name: "Clash" })).toBeVisible();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Remove the season" }).click();
    await expect(page.getByRole("heading", { name: "Seasons" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Clash" })).toHaveCount(0);
  });

  test("a room with a setting out of bounds is refused at the setting; then it is opened, changed, closed and removed", async ({ page }) => {
    await signedIn(page, "rooms/new");
    const panel = page.getByRole("dialog");
    await panel.getByLabel("Name", { exact: true }).fill("Evening den");
    await panel.getByLabel("Game").selectOption("Colorfight");
    await panel.getByLabel("Search settings").fill("width");
    await panel.getByRole("spinbutton", { name: "Width" }).fill("4");
    await panel.getByLabel("Open to players").fill("1");
    await panel.getByRole("button", { name: "Open the room" }).click();
    await expect(panel.locator("[data-setting=width]").getByRole("alert")).toContainText(">= 8");
    await panel.getByRole("spinbutton", { name: "Width" }).fill("12");
    await panel.getByRole("button", { name: "Open the room" }).click();
    await expect(page.getByText("Colorfight · 1 open seat, 2 bots")).toBeVisible();

    await page.getByRole("link", { name: "Evening den" }).click();
    await panel.getByLabel("Pause between matches").fill("60");
    await panel.getByLabel("Changed").check();
    await expect(panel.locator("[data-setting]")).toHaveCount(1);
    await panel.getByRole("button", { name: "Reset Width to 30" }).click();
    await panel.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("pause 1 min")).toBeVisible();
    const room = (await (await page.request.get(`${API}/rooms/Evening den`)).json()) as { template: { config: object } };
    expect(room.template.config).toEqual({});

    const row = page.getByRole("listitem").filter({ hasText: "Evening den" });
    await row.getByRole("button", { name: "Close", exact: true }).click();
    await expect(row.getByText("Closed", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Remove Evening den" }).click();
    await expect(page.getByRole("dialog")).toContainText("runs to its end");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("link", { name: "Evening den" })).toBeVisible();
  });
});

test("a round is announced and put off", async ({ page }) => {
  await signedIn(page, "rounds/new");
  const panel = page.getByRole("dialog");
  await panel.getByLabel("Name", { exact: true }).fill("Autumn cup");
  await panel.getByLabel("Kind").selectOption("Final");
  await panel.getByLabel("Starts").fill(`${day(2)}T18:30`);
  await panel.getByLabel("Points by place").fill("10, 5, 1");
  await panel.getByRole("button", { name: "Add to Ties" }).click();
  await panel.getByLabel("Ties 1", { exact: true }).fill("missed");
  await panel.getByRole("combobox", { name: "Game" }).selectOption("Hive");
  await panel.getByRole("button", { name: "Announce" }).click();
  await page.getByRole("link", { name: "Autumn cup" }).click();
  await panel.getByLabel("Next start").fill(`${day(3)}T20:00`);
  await expect(panel.getByText(/Your local time; .* UTC/)).toBeVisible();
  await panel.getByLabel("Matches", { exact: true }).fill("3");
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("3 matches")).toBeVisible();
  const rounds = (await (await page.request.get(`${API}/rounds`)).json()) as { name: string; starts: number; scoring: object }[];
  const cup = rounds.find((round) => round.name === "Autumn cup");
  expect(new Date((cup?.starts ?? 0) * 1000).getHours()).toBe(20);
  expect(cup?.scoring).toEqual({ points: [10, 5, 1], earned_by: "", figure: "", ties: ["missed"] });
});

test("an item is minted, stands in the album, is given away, and a stake is set", async ({ page, request }) => {
  await account(request, "Mia the collector");
  await signedIn(page, "ledger/new");
  const panel = page.getByRole("dialog");
  await panel.getByLabel("Name", { exact: true }).fill("Watchtower");
  await panel.getByLabel("Kind").selectOption("Superstructure");
  await panel.getByLabel("Modifiers, health").fill("50");
  await panel.getByRole("button", { name: "Make the template" }).click();
  await page.getByRole("link", { name: "Mint Watchtower" }).click();
  await pick(page, "For", "Mia the");
  await panel.getByLabel("How many").fill("2");
  await panel.getByRole("button", { name: "Mint", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Mia the collector" })).toBeVisible();
  await expect(page.getByRole("article", { name: "Watchtower #2" })).toContainText("+50");
  await page.getByLabel("Staked power").fill("1250");
  await page.getByRole("button", { name: "Set", exact: true }).click();
  await expect(page.getByText("has staked 1250")).toBeVisible();
  await picture(page, "organise album");
  await accessible(page);
  await page.getByRole("button", { name: "Give Watchtower #2" }).click();
  await pick(page, "Give Watchtower to", "admin");
  await page.getByRole("button", { name: "Give it" }).click();
  await expect(page.getByRole("article", { name: "Watchtower #2" })).toHaveCount(0);
  await page.getByRole("link", { name: "← Ledger" }).click();
  await page.getByRole("link", { name: "admin", exact: true }).click();
  await expect(page.getByRole("article", { name: "Watchtower #2" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Make avatar" })).toHaveCount(0);
});

test("a template of a schema has its kind, and an avatar of it represents the account", async ({ page }) => {
  await signedIn(page, "ledger/new-collection");
  const panel = page.getByRole("dialog");
  await panel.getByLabel("Name", { exact: true }).fill("Faces of the void");
  await panel.getByRole("button", { name: "Make the collection" }).click();
  await page.getByRole("link", { name: "New schema" }).click();
  await panel.getByLabel("Name", { exact: true }).fill("faces");
  await panel.getByLabel("Kind").selectOption("Avatar");
  await panel.getByRole("button", { name: "Make the schema" }).click();
  await expect(page.getByRole("row", { name: /Faces of the void/ })).toContainText("faces (Avatar)");
  await accessible(page);
  await page.getByRole("link", { name: "New template" }).click();
  await panel.getByLabel("Name", { exact: true }).fill("Captain");
  await panel.getByLabel("Schema").selectOption("faces (Avatar)");
  await expect(panel.getByLabel("Kind")).toBeDisabled();
  await panel.getByRole("button", { name: "Make the template" }).click();
  await page.getByRole("link", { name: "Mint Captain" }).click();
  await pick(page, "For", "admin");
  await panel.getByRole("button", { name: "Mint", exact: true }).click();
  await page.getByRole("button", { name: "Make avatar" }).click();
  await expect(page.getByText("Avatar: Captain #1")).toBeVisible();
  await page.getByLabel(/Wallet at the external ledger/).fill("admin.void");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "← Ledger" }).click();
  await page.getByRole("button", { name: "Confirm the wallet of admin" }).click();
  await expect(page.getByRole("row", { name: /admin.void/ })).toContainText("confirmed");
  await picture(page, "organise ledger");
});

test("a token is created, shown once and revoked, and the audit log has it", async ({ page }) => {
  await signedIn(page, "tokens");
  await page.getByLabel("What the new token is for").fill("the old laptop");
  await page.getByRole("button", { name: "New token" }).click();
  await expect(page.locator("code", { hasText: /^ml_/ })).toBeVisible();
  await page.getByRole("button", { name: "Revoke the old laptop" }).click();
  await page.getByRole("button", { name: "Revoke the token" }).click();
  await expect(page.getByRole("button", { name: "Revoke the old laptop" })).toHaveCount(0);
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByLabel("Filter the log").fill("laptop");
  const entries = page.getByRole("main").getByRole("listitem");
  await expect(entries).toHaveCount(2);
  await expect(entries.first()).toContainText("Revoke token");
});

test("an admin sets a role, and replaces a lost token", async ({ page, request }) => {
  const helper = await account(request, "Hal the helper");
  await signedIn(page, "accounts");
  await page.getByLabel("Find accounts by name").fill("hal the");
  await expect(page.getByRole("main").getByRole("row")).toHaveCount(2);
  await page.getByLabel("Role of Hal the helper").selectOption("organiser");
  await expect(page.getByText("Hal the helper is organiser now.")).toBeVisible();
  await page.getByRole("link", { name: "Hal the helper", exact: true }).click();
  await page.getByRole("button", { name: "New token" }).click();
  const token = await page.locator("code", { hasText: /^ml_/ }).innerText();
  const me = (await (await page.request.get(`${API}/me`, { headers: { Authorization: `Bearer ${token}` } })).json()) as { id: string; role: string };
  expect(me).toMatchObject({ id: helper.id, role: "organiser" });
});

test("a match that runs is ended turn by turn, gets another clock, and is removed", async ({ page, request }) => {
  const body = { game: "colorfight", name: "A slow one", seats: [{ kind: "builtin", bot: "idle" }, { kind: "builtin", bot: "idle" }], clock: { kind: "every", seconds: 3600, early: false }, config: { width: 12, height: 12 } };
  await request.post(`${API}/matches`, { data: body, headers: WITH_TOKEN });
  await signedIn(page, "matches");
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "A slow one" });
  await expect(row).toContainText("Turn 1 of");
  await row.getByRole("button", { name: "End turn" }).click();
  await expect(row).toContainText("Turn 2 of");
  await row.getByRole("link", { name: "Clock" }).click();
  await page.getByRole("dialog").getByLabel("Unit").selectOption("days");
  await page.getByRole("button", { name: "Set the clock" }).click();
  await expect(row).toContainText("every day");
  await row.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("dialog")).toContainText("replay are deleted permanently");
  await page.getByRole("button", { name: "Remove the match" }).click();
  await expect(row).toHaveCount(0);
});

test("every section is accessible, in dark and light, on a screen and on a phone", async ({ page }) => {
  await signedIn(page, "matches");
  for (const section of SECTIONS) {
    await page.getByRole("navigation", { name: "Sections" }).locator(`a[href="/organise/${section}"]`).click();
    await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText("Looking …")).toHaveCount(0);
    await picture(page, `organise ${section}`);
    await accessible(page);
  }
  await page.getByRole("button", { name: "Change between dark and light" }).click();
  for (const section of ["seasons", "ledger", "jobs", "accounts"]) {
    await page.getByRole("navigation", { name: "Sections" }).locator(`a[href="/organise/${section}"]`).click();
    await expect(page.getByText("Looking …")).toHaveCount(0);
    await picture(page, `organise ${section} light`);
    await accessible(page);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/organise/rooms/new");
  await expect(page.getByRole("dialog").getByLabel("Search settings")).toBeVisible();
  await picture(page, "organise new room on a phone");
  await accessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await picture(page, "organise rooms on a phone");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
