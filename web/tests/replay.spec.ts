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
