import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { accessible, boardReady, expect, picture, stock, test, turnOf, turns } from "./support";

test("a replay is opened by drag and drop", async ({ page }) => {
  await page.goto("/replay");
  await expect(page.getByText("Drop a")).toBeVisible();
  await picture(page, "replay empty");
  await accessible(page);
  const bytes = [...readFileSync(stock.replay)];
  const given = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(content)], "match.march"));
    return transfer;
  }, bytes);
  await page.dispatchEvent("main", "drop", { dataTransfer: given });
  await boardReady(page);
  await page.keyboard.press("End");
  await expect(page.locator(".outcome")).toContainText(/wins?\./);
  await page.keyboard.press("Shift+ArrowLeft");
  await picture(page, "replay");
});

test("what is no replay is refused with the reason", async ({ page }) => {
  await page.goto("/replay");
  await page.getByLabel("Replay file").setInputFiles({ name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("hello") });
  await expect(page.getByRole("alert")).toContainText("no Marchland replay");
});

/** A Zstandard frame of 4,096 blocks that repeat a zero 131,072 times each: 16 kB that decompress to 512 MB. */
function zstdBomb(): Buffer {
  const block = (last: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUIntLE((131_072 << 3) | (1 << 1) | last, 0, 3);
    return bytes;
  };
  const blocks = Array.from({ length: 4096 }, (_, index) => block(index === 4095 ? 1 : 0));
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38]), ...blocks]);
}

test("a replay that would decompress without bounds is refused with the reason", async ({ page }) => {
  const body = zstdBomb();
  const block = (kind: string): Buffer => {
    const head = Buffer.alloc(16);
    head.write(kind);
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body]);
  };
  const file = Buffer.concat([Buffer.from("march 1\n"), ...["HEAD", "FILM", "LAST"].map(block)]);
  await page.goto("/replay");
  await page.getByLabel("Replay file").setInputFiles({ name: "bomb.march", mimeType: "application/octet-stream", buffer: file });
  await expect(page.getByRole("alert")).toContainText("its content has more than 268435456 bytes");
});

test("a written page shows its replay without any server", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith("file:") && !request.url().startsWith("data:") && !request.url().startsWith("blob:")) asked.push(request.url());
  });
  await page.goto(pathToFileURL(stock.page).href);
  await boardReady(page);
  const before = await turnOf(page);
  await page.keyboard.press("ArrowRight");
  await turns(page).toBe(before + 1);
  await page.keyboard.press("End");
  await expect(page.locator(".outcome")).toContainText(/wins?\./);
  await picture(page, "replay page");
  expect(asked).toEqual([]);
});
