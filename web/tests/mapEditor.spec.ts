import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { accessible, expect, picture, stock, test } from "./support";

const MOVES = 8;
const board = (page: Page) => page.locator(".board[data-renderer]");

/** A page of an organiser, who may save maps. */
async function organiser(page: Page): Promise<void> {
  await page.addInitScript((token) => localStorage.setItem("marchland.token", token), stock.organiser);
}

async function opened(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(board(page)).toBeVisible();
}

/** Where a share of the board's width and height lies on the screen. */
async function point(page: Page, right: number, down: number): Promise<{ x: number; y: number }> {
  const box = await board(page).boundingBox();
  if (box === null) throw new Error("There is no board.");
  return { x: box.x + box.width * right, y: box.y + box.height * down };
}

/** What the line below the board says of the cell under the mouse. */
async function under(page: Page, right: number, down: number): Promise<string> {
  const { x, y } = await point(page, right, down);
  await page.mouse.move(x, y);
  return page.locator("footer .here").innerText();
}

async function drag(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  const start = await point(page, ...from);
  const end = await point(page, ...to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: MOVES });
  await page.mouse.up();
}

test.beforeEach(({ page }) => organiser(page));

test("all maps are there, game by game", async ({ page }) => {
  await page.goto("/organise/maps");
  const hive = page.getByRole("region", { name: "Hive" });
  await expect(hive.getByRole("link", { name: "tiny" })).toBeVisible();
  await hive.scrollIntoViewIfNeeded();
  await expect(hive.locator("canvas").first()).toBeVisible();
  await picture(page, "maps");
  await accessible(page);
  await hive.getByRole("link", { name: "tiny" }).click();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("tiny copy");
});

test("a hex map is painted by mouse and by keyboard, with symmetry, undone, saved, and played on", async ({ page }) => {
  await opened(page, "/organise/maps/hive:scarce");
  await expect(page.getByText("Good for 1 to 6 players")).toBeVisible();
  expect(await under(page, 0.5, 0.5)).toContain("field");

  // By mouse: stone where the field was, and back.
  await page.keyboard.press("r");
  await page.mouse.down();
  await page.mouse.up();
  expect(await under(page, 0.5, 0.5)).toContain("stone");
  await page.keyboard.press("Control+z");
  expect(await under(page, 0.5, 0.5)).toContain("field");

  // By keyboard: one step to the right, painted; lopsided now, which is reported with its cells.
  await board(page).focus();
  await page.keyboard.press("Shift+ArrowRight");
  await expect(page.locator("footer .here")).toContainText("stone");
  await expect(page.getByText("not symmetric")).toBeVisible();
  await page.getByRole("button", { name: /not symmetric/ }).click();
  await picture(page, "map editor hex");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("not symmetric")).toBeHidden();

  // With sixths alike, what is painted once is there six times, and stays fair.
  await page.getByLabel("Symmetry").selectOption({ label: "Sixth turn, 6 alike" });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Space");
  await expect(page.locator("footer .here")).toContainText("stone");
  await expect(page.getByText("Good for 1 to 6 players")).toBeVisible();
  await expect(page.getByText("not symmetric")).toBeHidden();
  await accessible(page);

  // Picked up from the board with Alt: the brush of what lies there.
  await page.keyboard.press("f");
  const { x, y } = await point(page, 0.5, 0.5);
  await page.keyboard.down("Alt");
  await page.mouse.click(x, y);
  await page.keyboard.up("Alt");
  await expect(page.getByRole("button", { name: "Field f" })).toHaveAttribute("aria-pressed", "true");

  const name = `ring of stone ${Date.now() % 1e6}`;
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(`${name} is saved.`)).toBeVisible();
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue(name);
  expect(await under(page, 0.5, 0.5)).toContain("field");
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("footer .here")).toContainText("stone");

  await page.getByRole("button", { name: "Play on this map" }).click();
  await expect(page).toHaveURL(/\/match\//);
  await expect(board(page)).toBeVisible();
});

test("a square map that cannot be played is refused with its reason, then corrected, exported and read again", async ({ page }) => {
  await opened(page, "/organise/maps/new/enova");
  await expect(page.getByText("without a castle")).toBeVisible();
  const name = `fens ${Date.now() % 1e6}`;
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("It is not saved");
  await expect(page.getByRole("alert")).toContainText("castle");

  // Two seats, a half turn apart, by one click; a line of what cannot be passed; a patch filled.
  await page.getByLabel("Symmetry").selectOption({ label: "Half turn, 2 alike" });
  await page.keyboard.press("Escape");
  await page.keyboard.press("s");
  const seat = await point(page, 0.35, 0.25);
  await page.mouse.click(seat.x, seat.y);
  await expect(page.getByText("Good for 1 or 2 players")).toBeVisible();
  expect(await under(page, 0.35, 0.25)).toContain("seat of player 1");
  expect(await under(page, 0.65, 0.75)).toContain("seat of player 2");
  await page.keyboard.press("x");
  await page.keyboard.press("l");
  await drag(page, [0.35, 0.4], [0.45, 0.4]);
  expect(await under(page, 0.4, 0.4)).toContain("impassable");
  await picture(page, "map editor square");
  await accessible(page);

  await page.getByRole("button", { name: "File", exact: true }).click();
  await expect(page.getByRole("button", { name: "Download" })).toBeEnabled();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const text = readFileSync(await (await download).path(), "utf8");
  expect(text).toMatch(/0/);
  expect(text).toMatch(/X/);
  await page.getByRole("button", { name: "Paste text" }).click();
  await page.getByRole("textbox", { name: "The map as text" }).fill("0..1\n.??.\n");
  await page.getByRole("button", { name: "Read it" }).click();
  await expect(page.getByRole("alert")).toContainText("'?' is no tile");
  await page.getByRole("textbox", { name: "The map as text" }).fill("0..1\n.XX.\nC..C\n");
  await page.getByRole("button", { name: "Read it" }).click();
  await expect(page.getByText("12 cells · 2 players")).toBeVisible();

  // What is not saved is not lost by accident.
  await page.getByRole("link", { name: "All maps" }).click();
  await expect(page.getByText("Leave without saving?")).toBeVisible();
  await page.getByRole("button", { name: "Stay here" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("is saved.")).toBeVisible();
  await page.getByRole("link", { name: "All maps" }).click();
  await expect(page.getByRole("region", { name: "Enova" }).getByRole("link", { name })).toBeVisible();
});

test("a generated map of 10,000 cells is painted without a stutter", async ({ page }) => {
  await opened(page, "/organise/maps/new/colorfight");
  await page.getByLabel("Generator").selectOption("Random");
  await page.getByLabel("Width").fill("100");
  await page.getByLabel("Height").fill("100");
  await page.getByRole("button", { name: "Generate", exact: true }).click();
  await expect(page.getByText("10,000 cells · 4 players")).toBeVisible();
  await page.getByRole("radio", { name: "7 wide" }).click();
  await page.getByRole("spinbutton", { name: "Natural gold" }).fill("15");
  // What the page itself computes for each move of the mouse; what else this machine does, and how it draws without a graphics card, does not count.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const scripts = async (): Promise<number> => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return metrics.find((metric) => metric.name === "ScriptDuration")?.value ?? 0;
  };
  const before = await scripts();
  await drag(page, [0.3, 0.3], [0.7, 0.7]);
  const spent = ((await scripts()) - before) / MOVES;
  console.log(`${(spent * 1000).toFixed(1)} ms for each move`);
  expect(spent).toBeLessThan(0.06);
  expect(await under(page, 0.5, 0.5)).toContain("natural gold 15");
  await page.keyboard.press("Control+z"); // the keys are the board's, though the last word was typed into a field
  await expect(page.getByRole("button", { name: "Redo" })).toBeEnabled();
  await picture(page, "map editor large");
});

test("on a phone the board comes first and everything is in reach", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await opened(page, "/organise/maps/new/datspulse");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await picture(page, "map editor phone");
  await accessible(page);
});
