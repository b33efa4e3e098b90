import { readdirSync, readFileSync } from "node:fs";

const PAGES = new URL("../docs/games/", import.meta.url);

/** What the games are called, by the headings of their pages; the app knows it as `GAME_TITLES`. */
export function gameTitles(): Record<string, string> {
  const pages = readdirSync(PAGES).filter((name) => name.endsWith(".md"));
  const heading = (page: string) => readFileSync(new URL(page, PAGES), "utf8").split("\n", 1)[0]?.replace(/^# /, "") ?? "";
  return Object.fromEntries(pages.map((page) => [page.slice(0, -".md".length), heading(page)]));
}
