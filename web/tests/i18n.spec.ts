/** Texts of the page, without a page. */

import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { en } from "../src/i18n/en";
import { loadLanguage } from "../src/i18n";
import { refusalText } from "../src/i18n/refusals";
import { ru } from "../src/i18n/ru";
import { strayTexts } from "./texts";

const REFUSAL = { code: "too_many_orders", arguments: { orders: 12345, most: 1000 }, sentence: "12,345 orders in one post; the most is 1,000." };

test.beforeEach(() => loadLanguage("en"));

test("a refusal is worded in the reader's language by its code and arguments", () => {
  expect(refusalText(REFUSAL, { too_many_orders: "Zu viele Befehle: {orders:,} statt {most}." })).toBe("Zu viele Befehle: 12,345 statt 1000.");
});

test("a refusal without words in that language, or without a code, has the server's sentence", () => {
  expect(refusalText(REFUSAL, {})).toBe(REFUSAL.sentence);
  expect(refusalText({ code: "", arguments: {}, sentence: "This is no map." })).toBe("This is no map.");
});

test("a reader of Russian reads refusals in Russian, with its separators", async () => {
  await loadLanguage("ru");
  expect(refusalText(REFUSAL)).toBe("Приказов в одном запросе 12\u00a0345; предел — 1\u00a0000.");
});

test("a refusal names the same values in Russian as in English", () => {
  const values = (template: string): string[] => [...template.matchAll(/\{\w+(?::,)?\}/g)].map(([field]) => field).sort();
  const english = readSentences();
  const different = Object.entries(ru.refusals).filter(([code, template]) => String(values(template)) !== String(values(english[code] ?? "")));
  expect(different).toEqual([]);
});

test("no text of the page is the same in Russian as in English", () => {
  expect(alike(en, ru)).toEqual([]);
});

test("nouns have the form that goes with their number", () => {
  expect([1, 3, 5, 11, 21, 1200].map(ru.count.turn)).toEqual(["1 ход", "3 хода", "5 ходов", "11 ходов", "21 ход", "1\u00a0200 ходов"]);
  expect([1, 2].map(ru.count.seat)).toEqual(["1 место", "2 места"]);
});

test("the page's texts are in src/i18n", () => {
  expect(strayTexts()).toEqual({});
});

/** Names, templates without words, and texts of keys, which no language changes. */
const SAME = /^(Marchland|HTTP API|WebSocket|[^A-Za-z]*|.*\b(UTC|JSON)\b.*)$/;

/** The texts that two languages share: keys with their text. */
function alike(one: object, other: object, path = ""): string[] {
  return Object.entries(one).flatMap(([key, value]) => {
    const counterpart = (other as Record<string, unknown>)[key];
    if (typeof value === "object") return alike(value as object, counterpart as object, `${path}${key}.`);
    return typeof value === "string" && value === counterpart && !SAME.test(value) ? [`${path}${key}: ${value}`] : [];
  });
}

/** The server's own sentences, by code. */
function readSentences(): Record<string, string> {
  const source = readFileSync(new URL("../../src/marchland/refusals.py", import.meta.url), "utf8");
  return Object.fromEntries([...source.matchAll(/^ {4}"(\w+)": "(.*)",$/gm)].map(([, code = "", sentence = ""]) => [code, sentence]));
}
