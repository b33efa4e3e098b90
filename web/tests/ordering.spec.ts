import type { Page, Route } from "@playwright/test";
import { boardReady, expect, picture, stock, test, turnOf, turns } from "./support";
import { call, editor, pickable, queue, seated } from "./seating";

const verb = (page: Page, name: string) => page.getByRole("toolbar", { name: "Orders" }).getByRole("button", { name: new RegExp(`^${name}`) });

/** The camera of the board. */
const camera = (page: Page): Promise<{ x: number; y: number; zoom: number }> =>
  page.evaluate(() => {
    const { x, y, zoom } = (window as unknown as { marchland: { board: { camera: { x: number; y: number; zoom: number } } } }).marchland.board.camera;
    return { x, y, zoom };
  });

/** The first marked cell, on the screen. */
async function firstMark(page: Page): Promise<[number, number]> {
  await expect.poll(async () => (await pickable(page)).length).toBeGreaterThan(0);
  const [cell] = await pickable(page);
  return cell as [number, number];
}

/** How far the pixels of a part of the page change when the board's overlay is hidden: 0 to 255. */
async function overlayOver(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`${selector} is not shown`);
  const shot = async (): Promise<string> => (await page.screenshot({ clip: box, animations: "disabled" })).toString("base64");
  const before = await shot();
  await page.locator(".overlay").evaluate((canvas: HTMLElement) => (canvas.style.visibility = "hidden"));
  const after = await shot();
  await page.locator(".overlay").evaluate((canvas: HTMLElement) => (canvas.style.visibility = ""));
  return page.evaluate(
    async ([first, second]) => {
      const pixels = async (data: string): Promise<Uint8ClampedArray> => {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
        context?.drawImage(image, 0, 0);
        return context?.getImageData(0, 0, image.width, image.height).data ?? new Uint8ClampedArray();
      };
      const [one, other] = [await pixels(first ?? ""), await pixels(second ?? "")];
      return one.reduce((most, value, index) => Math.max(most, Math.abs(value - (other[index] ?? 0))), 0);
    },
    [before, after],
  );
}

test("figures of a zoomed board are not painted over the panels", async ({ page }) => {
  await page.goto(`/match/${stock.over["colorfight"]}?turn=20`);
  await boardReady(page);
  await page.mouse.move(576, 300);
  for (let count = 0; count < 8; count++) await page.mouse.wheel(0, -240);
  await expect.poll(async () => (await camera(page)).zoom).toBeGreaterThan(40);
  await picture(page, "ordering zoomed");
  expect(await overlayOver(page, ".side.left section")).toBeLessThan(24); // panels let 4 % of the board through
  expect(await overlayOver(page, "footer")).toBeLessThan(24);
});

test("a double click on a target gives the order with the proposed number, and leaves the board where it is", async ({ page, request }) => {
  const { who, match } = await seated(page, request, "colorfight");
  await verb(page, "attack").click();
  const before = await camera(page);
  await page.mouse.dblclick(...(await firstMark(page)));
  await expect(queue(page)).toHaveCount(1);
  expect(await camera(page)).toEqual(before);
  await expect.poll(async () => (await call<{ orders: { energy: number }[] }>(request, who, "GET", `/matches/${match}/orders`)).orders.map(({ energy }) => energy > 0)).toEqual([true]);
});

test("a second click on the target gives the order with the number in the field", async ({ page, request }) => {
  const { who, match } = await seated(page, request, "colorfight");
  await verb(page, "attack").click();
  const target = await firstMark(page);
  await page.mouse.click(...target);
  await page.getByRole("spinbutton", { name: "energy" }).fill("77");
  await page.mouse.click(...target);
  await expect(queue(page)).toHaveCount(1);
  await expect.poll(async () => (await call<{ orders: { energy: number }[] }>(request, who, "GET", `/matches/${match}/orders`)).orders.map(({ energy }) => energy)).toEqual([77]);
});

test.describe("by touch", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a second tap on the target gives the order", async ({ page, request }) => {
    const who = await seated(page, request, "enova", {}, false);
    await verb(page, "move").tap();
    await page.touchscreen.tap(...(await firstMark(page)));
    const target = await firstMark(page);
    await page.touchscreen.tap(...target);
    await page.touchscreen.tap(...target);
    await expect(page.getByRole("button", { name: "Send 1" })).toBeVisible();
    expect(who.match).not.toBe("");
  });
});

test("a double click without an order centres the board", async ({ page }) => {
  await page.goto(`/match/${stock.over["colorfight"]}?turn=20`);
  await boardReady(page);
  await page.mouse.move(576, 300);
  for (let count = 0; count < 5; count++) await page.mouse.wheel(0, -240);
  const before = await camera(page);
  await page.mouse.dblclick(500, 250);
  expect(await camera(page)).not.toEqual(before);
});

test.describe("with slow menus", () => {
  const SLOW = 1200;

  /** Answers about menus come late; the number of them that were asked for. */
  async function slowMenus(page: Page): Promise<() => number> {
    let asked = 0;
    const late = async (route: Route): Promise<void> => {
      asked++;
      await new Promise((resolve) => setTimeout(resolve, SLOW));
      await route.continue();
    };
    await page.route(/\/(legal|menus)\?/, late);
    return () => asked;
  }

  test("an order is added at once, and the next verb does not drop it", async ({ page, request }) => {
    await seated(page, request, "colorfight");
    await slowMenus(page);
    for (let count = 1; count <= 3; count++) {
      await verb(page, "attack").click();
      await page.mouse.click(...(await firstMark(page)));
      await editor(page).locator("button.primary").click();
      await verb(page, "attack").click();
      await expect(queue(page)).toHaveCount(count);
      await page.keyboard.press("Escape");
    }
  });

  test("clicks while a menu is loaded are done when it is there", async ({ page, request }) => {
    await seated(page, request, "enova");
    const targets = async (): Promise<[number, number][]> => pickable(page);
    await verb(page, "move").click();
    const from = await firstMark(page);
    await page.mouse.click(...from);
    await expect.poll(async () => JSON.stringify(await targets())).not.toBe(JSON.stringify([from]));
    const to = await firstMark(page);
    await page.keyboard.press("Escape");
    await page.reload();
    await boardReady(page);
    await slowMenus(page);
    await page.getByRole("button", { name: /^Ready/, disabled: false }).waitFor();
    await verb(page, "move").click();
    await page.mouse.click(...from);
    await page.mouse.click(...to);
    await page.mouse.click(...to);
    await expect(queue(page)).toHaveCount(1);
  });

  test("a number that is typed while its menu is loaded is the order's", async ({ page, request }) => {
    const { who, match } = await seated(page, request, "colorfight");
    await slowMenus(page);
    await page.keyboard.press("a");
    await page.keyboard.press("PageDown");
    await page.keyboard.press("Enter");
    await page.keyboard.type("64");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await call<{ orders: { energy: number }[] }>(request, who, "GET", `/matches/${match}/orders`)).orders.map(({ energy }) => energy)).toEqual([64]);
  });

  test("what can be ordered with a piece is asked once, when it is picked", async ({ page, request }) => {
    await seated(page, request, "enova");
    const asked = await slowMenus(page);
    await page.keyboard.press("PageDown");
    await page.keyboard.press("Enter");
    await expect.poll(asked).toBe(1);
    await page.waitForResponse(/\/menus\?/);
    await verb(page, "move").click();
    await page.mouse.click(...(await firstMark(page)));
    await expect(page.getByRole("spinbutton", { name: "units" })).toBeVisible();
    expect(asked()).toBe(1);
  });

  test("a turn that begins while an order is made takes nothing of it away", async ({ page, request }) => {
    const { who, match } = await seated(page, request, "colorfight");
    await slowMenus(page);
    await verb(page, "attack").click();
    await page.mouse.click(...(await firstMark(page)));
    await page.getByRole("spinbutton", { name: "energy" }).fill("55");
    const before = await turnOf(page);
    await call(request, who, "POST", `/matches/${match}/orders`, { orders: [], key: "elsewhere" });
    await turns(page).toBeGreaterThan(before);
    await editor(page).getByRole("button", { name: /^Add/ }).click();
    await expect.poll(async () => (await call<{ orders: { energy: number }[] }>(request, who, "GET", `/matches/${match}/orders`)).orders.map(({ energy }) => energy)).toEqual([55]);
  });
});

test.describe("what orders cost", () => {
  const spent = (page: Page) => page.getByRole("list", { name: "What you have" }).getByRole("listitem").first();

  test("energy that is ordered is not offered again, and the line says what is left", async ({ page, request }) => {
    await seated(page, request, "colorfight");
    await expect(spent(page)).toHaveText(/^energy [\d,]+ [+−][\d,]+$/);
    const have = Number((/[\d,]+/.exec(await spent(page).innerText())?.[0] ?? "0").replace(",", ""));
    await verb(page, "attack").click();
    await page.mouse.click(...(await firstMark(page)));
    await page.getByRole("spinbutton", { name: "energy" }).fill(String(have - 10));
    await page.keyboard.press("Enter");
    await expect(queue(page)).toHaveCount(1);
    await expect(spent(page)).toHaveText(new RegExp(`ordered ${(have - 10).toLocaleString("en")} · left 10$`));
    await verb(page, "attack").click();
    await expect.poll(async () => (await pickable(page)).length).toBeGreaterThan(1);
    const target = (await pickable(page))[1] as [number, number]; // the first one is attacked already
    await page.mouse.click(...target);
    await expect(page.getByRole("spinbutton", { name: "energy" })).toHaveAttribute("max", "10");
    await expect(editor(page).getByText(/^Cannot succeed: \d+ needed, 10 left$/)).toBeVisible();
    await picture(page, "ordering budget");
    await page.mouse.click(...target);
    await expect(page.getByRole("status").filter({ hasText: /^Cannot succeed/ }).first()).toBeVisible();
    await expect(queue(page)).toHaveCount(1);
    const red = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--danger").trim());
    await editor(page).getByRole("button", { name: "Undo step" }).click();
    const marked = (): Promise<string[]> => page.evaluate(() => (window as unknown as { marchland: { board: { highlights: { colour: string }[] } } }).marchland.board.highlights.map(({ colour }) => colour));
    await expect.poll(marked).toContain(red);
  });

  test("choices have prices, and a verb that cannot be paid says what it needs", async ({ page, request }) => {
    await seated(page, request, "hive", { config: { start_flowers: 1, max_turn: 60 } });
    await expect(verb(page, "spawn")).toContainText(/Needs \d+ flowers, you have 1\./);
    await seated(page, request, "colorfight", { config: { width: 8, height: 8, max_turn: 60, start_gold: 1000 } });
    await verb(page, "attack").click();
    await page.mouse.dblclick(...(await firstMark(page)));
    await expect(queue(page)).toHaveCount(1);
    const before = await turnOf(page);
    await page.getByRole("button", { name: /^Ready/ }).click();
    await turns(page).toBeGreaterThan(before);
    await verb(page, "build").click();
    await page.mouse.click(...(await firstMark(page)));
    await expect(editor(page).locator(".choices button").first()).toContainText(/gold [\d,]+/);
    await picture(page, "ordering prices");
  });

  test("two pieces that go to one cell are warned about, and a piece with an order is marked", async ({ page, request }) => {
    await seated(page, request, "hive", { map: "B0  .   B0\n  .   B3  .", config: { start_flowers: 0, max_turn: 60 } });
    const send = async (piece: number, way: string): Promise<void> => {
      await verb(page, "move").click();
      await editor(page).locator(".choices button").nth(piece).click();
      await editor(page).getByRole("button", { name: new RegExp(`^${way}`) }).click();
      await editor(page).locator("button.primary").click();
    };
    await send(0, "E");
    await verb(page, "move").click();
    await expect(editor(page).getByRole("button", { name: /has an order/ })).toHaveCount(1);
    await page.keyboard.press("Escape");
    await send(1, "W");
    await expect(page.getByText(/go to the same place: 0, /)).toBeVisible();
    await picture(page, "ordering collision");
  });
});
