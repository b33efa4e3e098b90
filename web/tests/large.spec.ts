import { boardReady, expect, picture, stock, test, turns } from "./support";

/** What a pan may cost in one message. */
const MOST_BYTES = 200_000;

test.use({ viewport: { width: 1440, height: 900 } });

interface Held {
  held: { scene: number[]; cached: number[] };
  seen: number[];
  all: number;
}

test("a board of 100,000 cells pans and scrubs with the chunks in view and no others", async ({ page }) => {
  let largest = 0;
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => (largest = Math.max(largest, payload.length)));
  });
  page.on("response", async (response) => {
    const body = response.url().includes("/frames") ? await response.body().catch(() => null) : null; // the page may have closed
    largest = Math.max(largest, body?.length ?? 0);
  });
  await page.goto(`/match/${stock.large}?x=160&y=160&z=24`);
  await boardReady(page);

  const held = (): Promise<Held> =>
    page.evaluate(() => {
      const { marchland } = window as unknown as {
        marchland: {
          viewer: { view: { held: () => { scene: number[]; cached: number[] } } };
          board: { camera: { view: { left: number; right: number; top: number; bottom: number } }; scene: { grid: { chunkCount: number; chunksIn: (rect: object) => number[] } } };
        };
      };
      const { left, right, top, bottom } = marchland.board.camera.view;
      const around = { left: left - 6, right: right + 6, top: top - 6, bottom: bottom + 6 };
      return { held: marchland.viewer.view.held(), seen: marchland.board.scene.grid.chunksIn(around), all: marchland.board.scene.grid.chunkCount };
    });
  const settled = async (): Promise<void> => {
    await expect
      .poll(async () => {
        const { held: now, seen } = await held();
        return [...now.scene].sort().join() === [...seen].sort().join();
      })
      .toBe(true);
  };

  await settled();
  expect((await held()).all).toBe(100);
  largest = 0;
  for (let pan = 0; pan < 3; pan++) {
    await page.mouse.move(1000, 600);
    await page.mouse.down();
    await page.mouse.move(300, 250, { steps: 4 });
    await page.mouse.up();
    await settled();
  }
  expect(largest).toBeGreaterThan(0);
  expect(largest).toBeLessThan(MOST_BYTES);
  await picture(page, "large board");

  await page.keyboard.press("Home");
  await turns(page).toBe(1);
  await page.keyboard.press("Shift+ArrowRight");
  await turns(page).toBe(11);
  await settled();
  const after = await held();
  expect(after.held.cached.filter((chunk) => !after.seen.includes(chunk))).toEqual([]);
  expect(after.seen.length).toBeLessThan(after.all / 3);
  await picture(page, "large board scrubbed");
});
