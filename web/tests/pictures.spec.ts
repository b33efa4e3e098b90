/** Pictures of BoidVoid's items: stored by an admin, seen on the board and in the lists. */

import type { APIRequestContext } from "@playwright/test";
import { accessible, boardReady, expect, picture, stock, test } from "./support";
import { call, pieceOnScreen, seated } from "./seating";

const ADMIN = { token: stock.admin, id: "" };

async function mint(request: APIRequestContext, template: number, owner: string): Promise<number> {
  const [item] = await call<{ id: number }[]>(request, ADMIN, "POST", "/ledger/mint", { template, owner });
  return item?.id ?? 0;
}

test("a picture is made small, stored by the server, and shows a ship, its player and the item", async ({ page, request }) => {
  await page.addInitScript((token) => sessionStorage.getItem("seated") === null && localStorage.setItem("marchland.token", token), stock.admin);
  await page.goto("/organise/ledger/new");
  const form = page.getByRole("dialog");
  await form.getByLabel("Name").fill("Painted hull");
  await form.getByLabel("Kind").selectOption("spaceship");
  const file = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(900, 600);
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no canvas");
    for (let column = 0; column < 30; column++) {
      context.fillStyle = `hsl(${column * 12} 90% 55%)`;
      context.fillRect(column * 30, 0, 30, 600);
    }
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp" })).arrayBuffer());
    return Array.from(bytes);
  });
  await form.getByLabel(/Picture from a file/).setInputFiles({ name: "hull.webp", mimeType: "image/webp", buffer: Buffer.from(file) });
  await expect(form.getByAltText("Your picture")).toBeVisible();
  await picture(page, "picture field");
  await accessible(page);
  await form.getByRole("button", { name: "Make the template" }).click();
  await expect(form).toBeHidden();
  const templates = await call<{ id: number; name: string; facts: { sprite: string } }[]>(request, ADMIN, "GET", "/ledger/templates");
  const hull = templates.find(({ name }) => name === "Painted hull");
  expect(hull?.facts.sprite).toMatch(/^[0-9a-f]{32}$/);
  const stored = await request.get(`/api/v1/ledger/pictures/${hull?.facts.sprite}`);
  expect(stored.headers()["content-type"]).toBe("image/png");
  expect((await stored.body()).readUInt32BE(16)).toBe(256); // its width

  const face = await call<{ id: number }>(request, ADMIN, "POST", "/ledger/templates", { game: "boidvoid", name: "Skull", kind: "avatar", facts: { sprite: "skull" } });
  await page.evaluate(() => sessionStorage.setItem("seated", "yes"));
  const map = { width: 6, height: 3, tiles: ["......", "......", "......"], homes: [[[0, 1], [1, 1]], [[3, 1], [4, 1]]] };
  const { who, match } = await seated(page, request, "boidvoid", { map, config: { turn_limit: 60, start_hulls: 0 } });
  const act = (key: string, order: object): Promise<{ result: { ok: boolean; sentence: string } }> => call(request, who, "POST", `/matches/${match}/act`, { order, key });
  const equip = async (template: number): Promise<void> => expect((await act(`equip ${template}`, { do: "equip", unit: 0, nft: await mint(request, template, who.id) })).result).toMatchObject({ ok: true });
  await act("ship", { do: "spawn", unit: 0, at: [1, 1] });
  await call(request, who, "POST", `/matches/${match}/orders`, { orders: [], key: "turn" });
  await equip(face.id);
  await expect(page.locator(".left .face svg")).toBeVisible();
  await call(request, who, "POST", `/matches/${match}/orders`, { orders: [], key: "turn 2" });
  await equip(hull?.id ?? 0);
  const drawn = (): Promise<boolean> =>
    page.evaluate((template) => {
      interface Board {
        renderer: { atlas: { places: Map<string, unknown> } };
      }
      return (window as unknown as { marchland: { board: Board } }).marchland.board.renderer.atlas.places.has(`sprite ${template}`);
    }, hull?.id ?? 0);
  await expect.poll(drawn).toBe(true);
  await page.mouse.click(...(await pieceOnScreen(page, 0)));
  await expect(page.locator(".inspector .piece img")).toBeVisible();
  await picture(page, "pictures on the board");
  await page.goto(`/match/${match}?renderer=canvas`);
  await boardReady(page);
  await expect.poll(drawn).toBe(true);
});

test("a file that is no picture says so", async ({ page }) => {
  await page.addInitScript((token) => localStorage.setItem("marchland.token", token), stock.admin);
  await page.goto("/organise/ledger/new");
  const form = page.getByRole("dialog");
  await form.getByLabel("Kind").selectOption("avatar");
  await form.getByLabel(/Picture from a file/).setInputFiles({ name: "x.png", mimeType: "image/png", buffer: Buffer.from("nonsense") });
  await expect(form.getByRole("alert")).toHaveText("This file cannot be read as a picture.");
  await form.getByRole("button", { name: "rocket" }).click();
  await expect(form.getByRole("button", { name: "rocket" })).toHaveAttribute("aria-pressed", "true");
});
