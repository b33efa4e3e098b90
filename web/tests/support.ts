/** A page that must not log to the console or call other servers, and helpers to inspect it. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test as plain, expect, type Page } from "@playwright/test";

/** What the server holds for these tests; the caller says where it wrote that down. */
export interface Stock {
  /** Finished ones. */
  over: Record<string, string>;
  /** A board of over 100,000 cells. */
  large: string;
  /** A `.march` file. */
  replay: string;
  /** A page that `marchland replay html` wrote. */
  page: string;
  /** The token of an organiser, who may save maps. */
  organiser: string;
  /** For each game what makes a match of it small. */
  small: Record<string, object>;
  /** A token that may do everything. */
  admin: string;
  /** A file with films in which every kind of event happens. */
  events: string;
}

export const stock = JSON.parse(readFileSync(process.env["MARCHLAND_STOCK"] ?? "stock.json", "utf8")) as Stock;

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** What the browser says about drawing in software while a screenshot is taken, which no user sees. */
const OF_THE_TEST = /GPU stall due to ReadPixels|software fallback has been deprecated/;

export const test = plain.extend<{ expected: RegExp | null; quiet: undefined; abroad: string[] }>({
  /** What the browser says by itself about an answer that the test provokes. */
  expected: [null, { option: true }],
  quiet: [
    async ({ page, expected }, use) => {
      const said: string[] = [];
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type()) && !OF_THE_TEST.test(message.text())) said.push(`${message.type()}: ${message.text()}`);
      });
      page.on("pageerror", (problem) => said.push(`thrown: ${problem.message}`));
      await use(undefined);
      expect(said.filter((words) => expected === null || !expected.test(words))).toEqual([]);
    },
    { auto: true },
  ],
  /** What was asked of other hosts. */
  abroad: [
    async ({ page, baseURL }, use) => {
      const asked: string[] = [];
      const home = new URL(baseURL ?? "").host;
      const note = (address: string): void => {
        const { host } = new URL(address);
        if (host !== "" && host !== home) asked.push(address);
      };
      page.on("request", (request) => note(request.url()));
      page.on("websocket", (socket) => note(socket.url()));
      await use(asked);
      expect(asked).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Keep a picture among the test's results. */
export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `test-results/${name}.png` });
}

/** No serious violation of accessibility rules, once colours have stopped changing. */
export async function accessible(page: Page): Promise<void> {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().filter((animation) => animation instanceof CSSTransition).map((animation) => animation.finished)));
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (options: object) => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> } };
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.filter((violation) => violation.impact === "serious" || violation.impact === "critical").map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).slice(0, 3).join(" ")}`);
  });
  expect(found).toEqual([]);
}

/** The turn that the timeline names. */
export async function turnOf(page: Page): Promise<number> {
  return Number(await page.getByRole("slider", { name: "Turn" }).inputValue());
}

/** What to expect of that turn, soon. */
export function turns(page: Page): ReturnType<typeof expect.poll<number>> {
  return expect.poll(() => turnOf(page), { intervals: [50] });
}

export async function boardReady(page: Page): Promise<void> {
  await page.locator(".board[data-renderer]").waitFor(); // at once when it is there; `expect` looks again only now and then
  await page.getByText("Setting up the board").waitFor({ state: "hidden" });
  await page.locator(".left ol li .name").first().waitFor();
}
