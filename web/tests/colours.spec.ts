import type { Page } from "@playwright/test";
import { expect, picture, test } from "./support";
import { editor, pickable, seated } from "./seating";

const marks = (page: Page): Promise<{ colour: string; style: string; dashed?: boolean }[]> =>
  page.evaluate(() => (window as unknown as { marchland: { board: { highlights: { colour: string; style: string; dashed?: boolean }[] } } }).marchland.board.highlights.map(({ colour, style, dashed }) => ({ colour, style, ...(dashed === undefined ? {} : { dashed }) })));
const token = (page: Page, name: string): Promise<string> => page.evaluate((of) => getComputedStyle(document.documentElement).getPropertyValue(of).trim(), name);

for (const theme of ["dark", "light"])
  test(`targets, arrows and the selection have no player's colour in the ${theme}`, async ({ page, request }) => {
    await page.addInitScript((chosen) => localStorage.setItem("marchland.theme", chosen), theme);
    await seated(page, request, "enova");
    await page.keyboard.press("m");
    await expect.poll(async () => (await pickable(page)).length).toBeGreaterThan(0);
    await page.mouse.click(...((await pickable(page))[0] as [number, number]));
    await expect.poll(async () => (await marks(page)).some(({ dashed }) => dashed)).toBe(true);
    await picture(page, `colours targets ${theme}`);
    await page.mouse.click(...((await pickable(page))[0] as [number, number]));
    await page.keyboard.press("Enter");
    await expect(editor(page)).toBeHidden();
    await expect.poll(async () => (await marks(page)).length).toBeGreaterThan(0);
    const ink = await token(page, "--text");
    expect(new Set((await marks(page)).map(({ colour }) => colour))).toEqual(new Set([ink]));
    await picture(page, `colours arrow ${theme}`);
  });

test("a mothership has the colour of its team", async ({ page, request }) => {
  await seated(page, request, "boidvoid");
  await page.keyboard.press("s");
  await editor(page).getByRole("button", { name: /mothership/ }).click();
  for (const key of ["PageDown", "Enter", "Enter"]) await page.keyboard.press(key);
  await expect(page.getByRole("region", { name: "What it did" })).toContainText("spawned");
  const drawn = await page.evaluate(() => {
    interface Piece {
      kind: number;
      owner: number;
      column: number;
      row: number;
    }
    const { scene, camera } = (window as unknown as { marchland: { board: { scene: { pieces: Map<number, Piece>; legend: { kinds: { name: string }[] }; grid: { centre: (column: number, row: number) => { x: number; y: number } } }; camera: { zoom: number; toScreen: (x: number, y: number) => { x: number; y: number } } } } }).marchland.board;
    const piece = [...scene.pieces.values()].find(({ kind }) => scene.legend.kinds[kind]?.name === "mothership");
    if (piece === undefined) throw new Error("no mothership");
    const centre = scene.grid.centre(piece.column, piece.row);
    return { ...camera.toScreen(centre.x, centre.y), zoom: camera.zoom };
  });
  await page.mouse.move(5, 5);
  const clip = { x: drawn.x - drawn.zoom / 3, y: drawn.y - drawn.zoom / 3, width: (2 * drawn.zoom) / 3, height: (2 * drawn.zoom) / 3 };
  const shot = (await page.screenshot({ clip })).toString("base64");
  const own = await page.evaluate(async (data) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], { type: "image/png" }));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context?.drawImage(image, 0, 0);
    const pixels = context?.getImageData(0, 0, image.width, image.height).data ?? new Uint8ClampedArray();
    let close = 0;
    for (let at = 0; at < pixels.length; at += 4) if (Math.hypot((pixels[at] ?? 0) - 0x56, (pixels[at + 1] ?? 0) - 0xb4, (pixels[at + 2] ?? 0) - 0xe9) < 40) close++;
    return close / (pixels.length / 4);
  }, shot);
  await picture(page, "colours mothership");
  expect(own).toBeGreaterThan(0.05);
});

test("verbs keep their places when a cell is picked, impossible ones are folded away, and the host's are not shown", async ({ page, request }) => {
  await seated(page, request, "enova");
  const bar = page.getByRole("toolbar", { name: "Orders" });
  const before = await bar.getByRole("button", { name: /^move/ }).boundingBox();
  await page.keyboard.press("PageDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Cancel the selection/ })).toBeVisible();
  expect(await bar.getByRole("button", { name: /^move/ }).boundingBox()).toEqual(before);
  await seated(page, request, "boidvoid");
  await expect(bar.getByText(/host/)).toHaveCount(0);
  await expect(bar.locator('[aria-disabled="true"]')).toHaveCount(0);
  await picture(page, "colours verbs");
  await bar.getByRole("button", { name: /^\d+ more$/ }).click();
  await expect(bar.locator('[aria-disabled="true"]').first()).toBeVisible();
  await expect(bar.getByRole("button", { name: /^lock/ })).toHaveCount(0);
});
