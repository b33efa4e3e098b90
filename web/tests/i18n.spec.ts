/** Texts of the page, without a page. */

import { expect, test } from "@playwright/test";
import { refusalText } from "../src/i18n/refusals";
import { strayTexts } from "./texts";

const REFUSAL = { code: "too_many_orders", arguments: { orders: 12345, most: 1000 }, sentence: "12,345 orders in one post; the most is 1,000." };

test("a refusal is worded in the reader's language by its code and arguments", () => {
  expect(refusalText(REFUSAL, { too_many_orders: "Zu viele Befehle: {orders:,} statt {most}." })).toBe("Zu viele Befehle: 12,345 statt 1000.");
});

test("a refusal without words in that language, or without a code, has the server's sentence", () => {
  expect(refusalText(REFUSAL, {})).toBe(REFUSAL.sentence);
  expect(refusalText({ code: "", arguments: {}, sentence: "This is no map." })).toBe("This is no map.");
});

test("the page's texts are in src/i18n", () => {
  expect(strayTexts()).toEqual({});
});
