import { liveMatches } from "./live";
import { call, person } from "./seating";
import { accessible, boardReady, expect, picture, stock, test, turnOf, turns } from "./support";

const live = liveMatches();

for (const game of Object.keys(stock.small))
  test(`a running match of ${game} moves on by itself`, async ({ page }) => {
    await page.goto(`/match/${live[game]}`);
    await boardReady(page);
    const before = await turnOf(page);
    await turns(page).toBeGreaterThan(before);
    await expect(page.getByRole("button", { name: /^Live/ })).toHaveAttribute("aria-pressed", "true");
    await picture(page, `watch ${game}`);
    await accessible(page);
  });

test("a finished match opens at its end and says who won", async ({ page }) => {
  await page.goto(`/match/${stock.over["colorfight"]}`);
  await boardReady(page);
  await expect(page.locator(".outcome")).toContainText(/wins?\./);
  await picture(page, "watch finished");
});

test("a match that is followed to its end stands there, and can be played from its beginning", async ({ page, request }) => {
  const host = await person(request);
  const seats = [{ kind: "builtin", bot: "idle" }, { kind: "open" }];
  const { id } = await call<{ id: string }>(request, host, "POST", "/matches", { game: "colorfight", seats, config: { width: 8, height: 8, max_turn: 6 }, clock: { kind: "ready" } });
  await call(request, host, "POST", `/matches/${id}/join`, { kind: "human" });
  await page.goto(`/match/${id}`);
  await boardReady(page);
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  const isOver = async (): Promise<boolean> => (await call<{ state: string }>(request, host, "GET", `/matches/${id}`)).state === "over";
  for (let key = 0; !(await isOver()); key++)
    await request.post(`/api/v1/matches/${id}/orders`, { headers: { Authorization: `Bearer ${host.token}` }, data: { orders: [], key: `ready ${key}` } });
  await expect(page.locator(".outcome")).toContainText(/wins?\./);
  await expect(page.getByRole("button", { name: /^Live/ })).toBeHidden();
  const last = await turnOf(page);
  await page.getByRole("combobox", { name: "Speed" }).selectOption("0.25×");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("button", { name: "Pause" }).click();
  expect(await turnOf(page)).toBeLessThan(last);
});

test("the timeline scrubs in both directions and the figures follow", async ({ page }) => {
  await page.goto(`/match/${stock.over["colorfight"]}`);
  await boardReady(page);
  const slider = page.getByRole("slider", { name: "Turn" });
  const last = Number(await slider.getAttribute("max"));
  const figures = (): Promise<string[]> => page.locator(".left .value").allTextContents();
  const atTheEnd = await figures();
  await slider.fill("5");
  await turns(page).toBe(5);
  await expect.poll(figures).not.toEqual(atTheEnd);
  const early = await figures();
  await slider.fill(String(last));
  await expect.poll(figures).toEqual(atTheEnd);
  await slider.fill("5");
  await expect.poll(figures).toEqual(early);
  await picture(page, "watch scrubbed");
});

test("keys step, jump, play and change the speed", async ({ page }) => {
  await page.goto(`/match/${stock.over["colorfight"]}?turn=20`);
  await boardReady(page);
  await turns(page).toBe(20);
  await page.keyboard.press("ArrowRight");
  await turns(page).toBe(21);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await turns(page).toBe(19);
  await page.keyboard.press("Shift+ArrowRight");
  await turns(page).toBe(29);
  await page.keyboard.press("Home");
  await turns(page).toBe(1);
  await page.keyboard.press("]");
  await expect(page.getByRole("combobox", { name: "Speed" })).toHaveValue("2");
  await page.keyboard.press("Space");
  await turns(page).toBeGreaterThan(3);
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  const paused = await turnOf(page);
  await page.keyboard.press("ArrowRight");
  await turns(page).toBe(paused + 1);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await picture(page, "keys");
  await accessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("a live match can be left for its past and found again", async ({ page }) => {
  const id = live["colorfight"];
  await page.goto(`/match/${id}`);
  await boardReady(page);
  await turns(page).toBeGreaterThan(8);
  await page.keyboard.press("Home");
  await turns(page).toBe(1);
  await expect(page.getByRole("button", { name: /^Live/ })).toHaveAttribute("aria-pressed", "false");
  await page.keyboard.press("End");
  await expect(page.getByRole("button", { name: /^Live/ })).toHaveAttribute("aria-pressed", "true");
  await turns(page).toBeGreaterThan(8);
});

test("a link names match, turn and camera", async ({ page }) => {
  await page.goto(`/match/${stock.over["hive"]}?turn=7&x=6.0&y=5.0&z=40.0`);
  await boardReady(page);
  await turns(page).toBe(7);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("+");
  await expect(page).toHaveURL(/turn=8&x=6\.0&y=5\.0&z=50\.0/);
  await page.reload();
  await boardReady(page);
  await turns(page).toBe(8);
  await expect(page).toHaveURL(/z=50\.0/);
});

test("a cell is described on hover, on click and by keyboard", async ({ page }) => {
  await page.goto(`/match/${stock.over["hive"]}?turn=20`);
  await boardReady(page);
  await page.mouse.move(720, 400);
  await expect(page.locator(".tip")).toBeVisible();
  await page.mouse.click(720, 400);
  await expect(page.getByRole("heading", { name: /^Cell -?\d+, -?\d+$/ })).toBeVisible();
  await picture(page, "inspector");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { name: "Cell", exact: true })).toBeVisible();
  await page.mouse.move(720, 850);
  await page.locator(".board").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: /^Cell -?\d+, -?\d+$/ })).toBeVisible();
});

test("the whole board lies beside the buttons that zoom", async ({ page, request }) => {
  const host = await person(request);
  const seats = [{ kind: "builtin", bot: "idle" }, { kind: "open" }];
  for (const [width, height] of [[30, 10], [12, 12]]) {
    const { id } = await call<{ id: string }>(request, host, "POST", "/matches", { game: "colorfight", seats, config: { width, height }, clock: { kind: "ready" } });
    await call(request, host, "POST", `/matches/${id}/join`, { kind: "human" });
    for (const screen of [{ width: 1152, height: 400 }, { width: 1152, height: 720 }, { width: 390, height: 560 }]) {
      await page.setViewportSize(screen);
      await page.goto(`/match/${id}`);
      await expect(page.locator(".board[data-renderer]")).toBeVisible();
      await expect(page).toHaveURL(/z=/); // the camera has found its place
      const buttons = await page.locator(".zoom").boundingBox();
      const corner = await page.evaluate(() => {
        interface Board {
          scene: { grid: { bounds: { right: number; top: number } } };
          camera: { toScreen: (x: number, y: number) => { x: number; y: number } };
        }
        const { board } = (window as unknown as { marchland: { board: Board } }).marchland;
        const { right, top } = board.scene.grid.bounds;
        return board.camera.toScreen(right, top);
      });
      if (buttons === null) throw new Error("There are no buttons.");
      expect(corner.x <= buttons.x || corner.y >= buttons.y + buttons.height, `${width} × ${height} on ${screen.width} × ${screen.height}`).toBe(true);
    }
  }
});

test("a finished match in the fog can be seen from a player's viewpoint", async ({ page }) => {
  await page.goto(`/match/${stock.over["hive"]}?turn=15`);
  await boardReady(page);
  await page.keyboard.press("2");
  await expect(page).toHaveURL(/eyes=1/);
  await picture(page, "eyes");
  await page.keyboard.press("0");
  await expect(page).not.toHaveURL(/eyes=/);
});

test("the board is drawn by WebGL where the browser has it", async ({ page }) => {
  await page.goto(`/match/${stock.over["hive"]}?turn=20`);
  await boardReady(page);
  await expect(page.locator('.board[data-renderer="webgl"]')).toBeVisible();
});

test("without WebGL the board is drawn all the same", async ({ page }) => {
  await page.goto(`/match/${stock.over["hive"]}?turn=20&renderer=canvas`);
  await boardReady(page);
  await expect(page.locator('.board[data-renderer="canvas"]')).toBeVisible();
  await picture(page, "canvas");
});

test("a lost connection keeps the board and comes back", async ({ page, context }) => {
  await page.goto(`/match/${live["colorfight"]}`);
  await boardReady(page);
  await page.evaluate(() => {
    const { marchland } = window as unknown as { marchland: { viewer: { view: { live: { socket: WebSocket } } } } };
    marchland.viewer.view.live.socket.close();
  });
  await expect(page.getByText("The connection is lost")).toBeVisible();
  await expect(page.getByText("The connection is lost")).toBeHidden();
  const before = await turnOf(page);
  await turns(page).toBeGreaterThan(before);
  await context.close();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("board and timeline fit, and panels open over the board", async ({ page }) => {
    await page.goto(`/match/${stock.over["colorfight"]}?turn=60`);
    await expect(page.locator(".board[data-renderer]")).toBeVisible();
    await turns(page).toBe(60);
    await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await picture(page, "phone");
    await accessible(page);
    await page.getByRole("button", { name: "Players" }).first().click();
    await expect(page.locator(".left ol li .name").first()).toBeVisible();
    await picture(page, "phone panels");
  });
});
