/** How numbers, words and times are written. */

import type { Clock } from "../api/types";
import { byLanguage, words } from "../i18n";

const whole = byLanguage((language) => new Intl.NumberFormat(language, { maximumFractionDigits: 0 }));
const short = byLanguage((language) => new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }));
const decimal = byLanguage((language) => new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }));

export function formatNumber(value: number): string {
  return Math.abs(value) >= 100_000 ? short().format(value) : whole().format(value);
}

/** As few characters as possible, for inside a cell. */
export function compactNumber(value: number): string {
  return Math.abs(value) >= 1000 ? short().format(value) : String(value);
}

/** `energy_well` → `energy well`. */
export function humanize(word: string): string {
  return word.replaceAll("_", " ");
}

declare const GAME_TITLES: Record<string, string>;

/** `energy_well` → `Energy well`; a game by the name that it is known by. */
export function titleOf(word: string): string {
  if (word in GAME_TITLES) return GAME_TITLES[word] as string;
  const words = humanize(word);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name of a match or a room, by default its game's; `boidvoid demo` → `BoidVoid demo`. */
export function displayName(name: string, game: string): string {
  const [first = "", ...more] = name.split(" ");
  return first === "" || first === game ? [titleOf(game), ...more].join(" ") : name;
}

/** The line below a name: its game, unless the name contains it, and more facts. */
export function subtitleOf(name: string, game: string, ...more: string[]): string {
  const line = [...(displayName(name, game).startsWith(titleOf(game)) ? [] : [titleOf(game)]), ...more].join(" · ");
  return line.charAt(0).toUpperCase() + line.slice(1);
}

export function formatSeconds(left: number): string {
  if (left <= 0) return words.app.now;
  if (left < 10) return words.app.seconds(decimal().format(left));
  if (left < 120) return words.app.seconds(Math.round(left));
  if (left < 7200) return words.app.minutes(Math.round(left / 60));
  return left < 172_800 ? words.app.hours(Math.round(left / 3600)) : words.app.days(Math.round(left / 86_400));
}

export function formatAgo(time: number, now = Date.now() / 1000): string {
  const passed = Math.max(0, now - time);
  return passed < 5 ? words.app.justNow : words.app.ago(formatSeconds(passed));
}

/** How fast a match goes, in a few words. */
export function describePace(clock: Clock): string {
  if (clock.kind === "every") return words.app.aTurn(Number.isInteger(clock.seconds) && clock.seconds < 10 ? words.app.seconds(clock.seconds) : formatSeconds(clock.seconds));
  return clock.kind === "times" ? words.app.turnsByTheClock : words.app.noTimeLimit;
}
