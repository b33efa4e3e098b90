import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessible, expect, picture, stock, test } from "./support";
import { become, nickname, person } from "./seating";
import type { Page } from "@playwright/test";

const PHONE = { width: 390, height: 844 };

/** Run what the page shows, in the folder of the downloaded program; installing is left out, and the command is this checkout's. */
function runLines(lines: string[], folder: string): { end: () => void; errors: () => string } {
  const script = lines.filter((line) => !line.startsWith("pip ")).map((line) => line.replace(/^marchland /, 'exec "$MARCHLAND_PYTHON" -m marchland '));
  const shell = spawn("sh", ["-c", script.join("\n")], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  shell.stderr.on("data", (some: Buffer) => (errors += some.toString()));
  return { end: () => shell.kill("SIGKILL"), errors: () => errors };
}

async function downloadStarter(page: Page, folder: string): Promise<void> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: /^Download/ }).click()]);
  await file.saveAs(join(folder, file.suggestedFilename()));
}

const shownLines = async (page: Page): Promise<string[]> => (await page.locator("pre").innerText()).split("\n");

for (const [game, title, language] of [
  ["enova", "Enova Conquest", "Python"],
  ["hive", "Hive", "JavaScript"],
  ["datspulse", "DatsPulse", "C"],
] as const) {
  test(`a newcomer's bot in ${language} plays ${game} after pasting the lines of the page`, async ({ page }) => {
    test.setTimeout(90_000);
    await page.goto("/");
    await page.getByRole("link", { name: "Bring a bot" }).click();
    await page.getByRole("radio", { name: title }).check();
    await page.getByRole("radio", { name: language, exact: true }).check();
    const folder = mkdtempSync(join(tmpdir(), "marchland-bot-"));
    await downloadStarter(page, folder);
    await page.getByRole("textbox", { name: "Your name" }).fill(nickname());
    await page.getByRole("button", { name: "Get the lines to paste" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "I have saved it" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Waiting for your bot" })).toBeVisible();
    const lines = await shownLines(page);
    expect(lines[0]).toBe("pip install marchland");
    expect(lines.at(-1)).toContain(`marchland join ${new URL(page.url()).origin} --match`);
    const bot = runLines(lines, folder);
    try {
      await expect(page.getByRole("status").filter({ hasText: "Your bot is here: mybot" }), bot.errors()).toBeVisible({ timeout: 60_000 });
      await expect(page.getByText("It has given no orders in the last turns.")).toBeVisible({ timeout: 60_000 });
      await accessible(page);
      if (language === "Python") await picture(page, "bring a bot");
    } finally {
      bot.end();
    }
  });
}

test("why a bot's orders fail is on its page", async ({ page, request }) => {
  test.setTimeout(90_000);
  const who = await person(request);
  await become(page, who);
  await page.goto("/bots?game=enova");
  await page.getByRole("button", { name: "Get the lines to paste" }).click();
  const last = (await shownLines(page)).at(-1) ?? "";
  const match = /--match (\w+)/.exec(last)?.[1] ?? "";
  const headers = { Authorization: `Bearer ${who.token}` };
  expect((await request.post(`/api/v1/matches/${match}/join`, { headers, data: { kind: "bot", name: "careless" } })).ok()).toBe(true);
  const orders = [{ do: "defend", at: [99, 99] }];
  await expect.poll(async () => (await request.post(`/api/v1/matches/${match}/orders`, { headers, data: { orders, key: "once" } })).status()).toBe(200);
  await expect(page.getByRole("status").filter({ hasText: "Your bot is here: careless" })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("list", { name: "Why orders failed" })).toContainText("There is no such tile on this board.", { timeout: 30_000 });
  await expect(page.getByText("0 done, 0 without effect, 1 refused")).toBeVisible();
});

test("a bot can play in a room of its game, and the page fits a phone", async ({ page, request }) => {
  const template = { game: "enova", seats: [{ kind: "open" }, { kind: "builtin", bot: "greedy" }] };
  const headers = { Authorization: `Bearer ${stock.admin}` };
  const name = `den ${nickname().slice(4)}`;
  expect((await request.post("/api/v1/rooms", { headers, data: { name, template, pause: 0 } })).ok()).toBe(true);
  await become(page, await person(request));
  await page.setViewportSize(PHONE);
  await page.goto("/bots?game=enova");
  await page.getByRole("radio", { name: `The room ${name}` }).check();
  await page.getByRole("button", { name: "Get the lines to paste" }).click();
  expect((await shownLines(page)).at(-1)).toContain(`--room "${name}"`);
  await picture(page, "bring a bot phone");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  expect((await request.delete(`/api/v1/rooms/${encodeURIComponent(name)}`, { headers })).ok()).toBe(true);
});
