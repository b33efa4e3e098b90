import { accessible, expect, picture, stock, test } from "./support";
import { become, call, nickname, person } from "./seating";
import type { Page } from "@playwright/test";

const PHONE = { width: 390, height: 844 };

/** Start a match under a new name; its account is new, too. */
async function register(page: Page, name: string): Promise<void> {
  await page.goto("/play?game=enova");
  await page.getByRole("textbox", { name: "Your name" }).fill(name);
  await page.getByRole("button", { name: "Play Enova" }).click();
}

/** The code in the dialog that shows it, which is then closed. */
async function saveCode(page: Page): Promise<string> {
  const dialog = page.getByRole("dialog", { name: "Save your recovery code" });
  const code = await dialog.locator("code").innerText();
  await dialog.getByRole("button", { name: "I have saved it" }).click();
  await expect(dialog).toBeHidden();
  return code;
}

/** The page in both themes and on a phone. */
async function pictures(page: Page, name: string): Promise<void> {
  const { width, height } = page.viewportSize() ?? PHONE;
  await accessible(page);
  await picture(page, name);
  await page.evaluate(() => (document.documentElement.dataset["theme"] = "light"));
  await accessible(page);
  await picture(page, `${name} light`);
  await page.setViewportSize(PHONE);
  await picture(page, `${name} phone`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  await page.setViewportSize({ width, height });
}

test("a new account is shown its recovery code once, and can copy it", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await register(page, nickname());
  const dialog = page.getByRole("dialog", { name: "Save your recovery code" });
  await expect(dialog).toBeVisible();
  await pictures(page, "account code");
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Copy the recovery code" }).click();
  await expect(dialog.getByText("It is in the clipboard.")).toBeVisible();
  const code = await saveCode(page);
  expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){5}$/);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  await page.goto("/account");
  await expect(page.getByRole("heading", { name: "Recovery code" })).toBeVisible();
  await expect(page.getByText(code)).toHaveCount(0);
});

test.describe("with a wrong code", () => {
  test.use({ expected: /status of 403/ });

  test("an account comes back by its name and code, and gets the next code", async ({ page }) => {
    const name = nickname();
    await register(page, name);
    const first = await saveCode(page);
    await page.goto("/play");
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await page.getByRole("link", { name: "I have an account" }).click();
    await page.getByLabel("Name").fill(name);
    await page.getByRole("textbox", { name: "Recovery code" }).fill("ABCD-EFGH");
    await page.getByRole("button", { name: "Recover the account" }).click();
    await expect(page.getByRole("alert")).toContainText("not the recovery code");
    await pictures(page, "account signed out");
    await page.getByRole("textbox", { name: "Recovery code" }).fill(`  ${first.toLowerCase()} `);
    await page.getByRole("button", { name: "Recover the account" }).click();
    expect(await saveCode(page)).not.toBe(first);
    await expect(page.getByRole("heading", { name })).toBeVisible();
  });
});

test("a player replaces the recovery code, and revokes tokens up to that of the browser", async ({ page, request }) => {
  const who = await person(request);
  await call(request, who, "POST", "/tokens", { label: "spare phone", expires: Date.now() / 1000 + 86_400 });
  await become(page, who);
  await page.goto("/");
  await page.getByRole("link", { name: "Account" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "this browser" })).toContainText("first");
  await expect(page.getByRole("listitem").filter({ hasText: "spare phone" })).toContainText("expires");
  await pictures(page, "account");
  await page.getByRole("button", { name: "New recovery code" }).click();
  await page.getByRole("button", { name: "Make a new code" }).click();
  const code = await saveCode(page);
  await page.getByRole("button", { name: "Revoke spare phone" }).click();
  await page.getByRole("button", { name: "Revoke the token" }).click();
  await expect(page.getByRole("button", { name: "Revoke spare phone" })).toHaveCount(0);
  const { name } = await call<{ name: string }>(request, who, "GET", "/me");
  await page.getByRole("button", { name: "Revoke first" }).click();
  await expect(page.getByRole("dialog")).toContainText("you are signed out here");
  await page.getByRole("button", { name: "Revoke the token" }).click();
  await expect(page.getByText("You are not signed in.")).toBeVisible();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("textbox", { name: "Recovery code" }).fill(code);
  await page.getByRole("button", { name: "Recover the account" }).click();
  await saveCode(page);
  await expect(page.getByRole("heading", { name })).toBeVisible();
});

test("a browser signs in with a token and out again", async ({ page }) => {
  await page.goto("/account");
  await page.getByLabel("Token", { exact: true }).fill(stock.organiser);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("dialog")).toContainText("recovery code, or another token");
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByText("You are not signed in.")).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("marchland.token"))).toBeNull();
});
