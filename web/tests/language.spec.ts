/** The page in Russian: chosen by the browser or by hand, complete, and in its layout. */

import type { Page } from "@playwright/test";
import { en } from "../src/i18n/en";
import { become, call, person } from "./seating";
import { accessible, expect, picture, stock, test } from "./support";

/** Pages that anyone sees, each with a word that it shows when it is there. */
const PAGES: Readonly<Record<string, string>> = {
  "/": "Недавние записи",
  "/play": "Против",
  "/replays": "Комната",
  "/replay": "Открыть запись",
  "/account": "Восстановить учётную запись",
  "/organise": "Комнаты, раунды, сезоны",
  "/docs": "Все игроки отдают приказы",
  [`/match/${stock.over["colorfight"] ?? ""}`]: "События",
  [`/match/${stock.over["hive"] ?? ""}`]: "События",
};
const SECTIONS: Readonly<Record<string, string>> = {
  matches: "Всё, что сейчас идёт",
  rooms: "Комната играет без остановки",
  rounds: "Матч по расписанию",
  seasons: "Долгие командные игры",
  maps: "Поля для матчей",
  ledger: "Шаблоны",
  jobs: "Задания ведут игры",
  accounts: "Игроки играют",
  tokens: "Токен действует",
};

/** Names, also that of the account that is signed in. */
const SAME = new Set(["Marchland", "admin"]);

/** All texts of English that have no values in them. */
function texts(part: object): string[] {
  return Object.values(part).flatMap((value: unknown) => (typeof value === "string" ? [value] : typeof value === "object" && value !== null ? texts(value) : []));
}

const ENGLISH = new Set(texts(en).filter((text) => /[A-Za-z]{2}/.test(text) && !SAME.has(text)));

/** What people read or hear on the page, without the titles of documents, which are English. */
function shownTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) if (!nodes.currentNode.parentElement?.closest("script, style, code, kbd, option, a[href^='/docs/']")) found.add(nodes.currentNode.textContent?.trim() ?? "");
    for (const element of document.querySelectorAll("[aria-label], [title], [placeholder]"))
      for (const name of ["aria-label", "title", "placeholder"]) found.add(element.getAttribute(name) ?? "");
    return [...found];
  });
}

async function expectRussian(page: Page): Promise<void> {
  const shown = await shownTexts(page);
  expect(shown.filter((text) => /[а-яё]/i.test(text)).length).toBeGreaterThan(3);
  expect(shown.filter((text) => ENGLISH.has(text))).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), "the page is wider than the window").toBeLessThanOrEqual(0);
}

test("a browser that prefers English gets English, and changes to Russian by keyboard without a reload", async ({ page }) => {
  await page.goto("/replay");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await expect(page.getByRole("heading", { name: "Open a replay" })).toBeVisible();
  await page.evaluate(() => Object.assign(window, { stays: true }));
  await page.getByRole("button", { name: "Русский" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Открыть запись" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "ru");
  expect(await page.evaluate(() => "stays" in window)).toBe(true);

  await page.reload();
  await expect(page.getByRole("heading", { name: "Открыть запись" })).toBeVisible();
  await page.getByRole("button", { name: "English" }).click();
  await expect(page.getByRole("heading", { name: "Open a replay" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Open a replay" })).toBeVisible();
});

test("only the texts of the reader's language are loaded", async ({ page }) => {
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto("/replay");
  await expect(page.getByRole("heading", { name: "Open a replay" })).toBeVisible();
  expect(loaded.filter((path) => /\/(en|ru)-[^/]*\.js$/.test(path)).map((path) => path.slice("/assets/".length, "/assets/en".length))).toEqual(["en"]);
});

test.describe("a browser that prefers Russian", () => {
  test.use({ locale: "ru-RU" });

  for (const [size, width, height] of [["wide", 1440, 900], ["phone", 390, 844]] as const) {
    test(`has every page in Russian, ${size}`, async ({ page }) => {
      test.setTimeout(180_000);
      await page.setViewportSize({ width, height });
      for (const [path, word] of Object.entries(PAGES)) {
        await page.goto(path);
        if (size === "phone" && path.startsWith("/match/")) await page.getByRole("button", { name: "Игроки" }).click();
        await page.getByText(word).first().waitFor();
        await expect(page.locator("html")).toHaveAttribute("lang", "ru");
        await expectRussian(page);
        await picture(page, `russian ${size} ${path.replaceAll("/", " ").trim() || "home"}`);
        if (path === "/" || path === "/play") await accessible(page);
      }
    });
  }

  test("has the sections of the organiser in Russian", async ({ page }) => {
    test.setTimeout(180_000);
    await page.addInitScript((token) => localStorage.setItem("marchland.token", token), stock.admin);
    for (const [section, word] of Object.entries(SECTIONS)) {
      await page.goto(`/organise/${section}`);
      await page.getByText(word).first().waitFor();
      await expectRussian(page);
      await picture(page, `russian organise ${section}`);
    }
  });

  for (const [game, verb] of Object.entries({ colorfight: "Построить", hive: "Вывести пчелу", enova: "Обороняться", datspulse: "Идти", boidvoid: "Появиться" })) {
    test(`plays ${game} in Russian`, async ({ page, request }) => {
      const who = await person(request);
      const seats = [{ kind: "open" }, { kind: "builtin", bot: "greedy" }];
      const { id } = await call<{ id: string }>(request, who, "POST", "/matches", { game, seats, clock: { kind: "ready" }, ...stock.small[game] });
      await call(request, who, "POST", `/matches/${id}/join`, { kind: "human" });
      await become(page, who);
      await page.goto(`/play/${id}`);
      const ready = page.getByRole("button", { name: /^Готово/, disabled: false });
      await ready.waitFor();
      await expect(page.getByText(verb, { exact: false }).first()).toBeVisible();
      await expectRussian(page);
      await ready.click();
      await expect(page.getByText(/вы ничего не приказали/).first()).toBeVisible();
      await expectRussian(page);
      await picture(page, `russian play ${game}`);
    });
  }

  test.describe("without an account", () => {
    test.use({ expected: /401/ });
    test("reads refusals of the server in Russian", async ({ page }) => {
      await page.goto("/account");
      await page.getByRole("textbox", { name: "Токен" }).fill("ml_wrong");
      await page.getByRole("button", { name: "Войти", exact: true }).click();
      await expect(page.getByText("Такого токена нет; возможно, он отозван.")).toBeVisible();
    });
  });
});
