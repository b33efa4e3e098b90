/**
 * One order on its way: a verb, then its parameters one after the other, each picked from the menu that the server gives for
 * what was picked before. Nothing here knows a game, a page or a network; every function gives the next state.
 */

import type { Order } from "../../api/orders";
import type { Forecast, Menu, Parameter, Verb } from "../../api/types";

/** A parameter that was left out. */
export const SKIPPED = Symbol("skipped");

export interface Picked {
  menu: Menu;
  value: unknown;
}

export interface OrderDraft {
  readonly verb: Verb;
  readonly trail: readonly Picked[];
  /** What may be picked now; undefined while the menu is loaded, null when the order is complete. */
  readonly menu: Menu | null | undefined;
  /** Optional words that no menu asks for. */
  readonly extras: Readonly<Record<string, string>>;
}

export function beginOrder(verb: Verb, first: Menu | null): OrderDraft {
  return { verb, trail: [], menu: first, extras: {} };
}

/** Pick a value for the parameter that is asked for. */
export function pickValue(now: OrderDraft, value: unknown): OrderDraft {
  if (!now.menu) return now;
  return { ...now, trail: [...now.trail, { menu: now.menu, value }], menu: undefined };
}

/** Leave out the parameter that is asked for; what follows it, if anything, can be left out as well. */
export function skipParameter(now: OrderDraft): OrderDraft {
  if (!now.menu || !isSkippable(now)) return now;
  return { ...now, trail: [...now.trail, { menu: now.menu, value: SKIPPED }], menu: null };
}

/** What the server offers next. A stale answer changes nothing. */
export function offerMenu(now: OrderDraft, request: OrderDraft, menu: Menu | null): OrderDraft {
  return now === request && now.menu === undefined ? { ...now, menu } : now;
}

/** Take back the last pick; null when there was none, which drops the verb. */
export function takeBackPick(now: OrderDraft): OrderDraft | null {
  const last = now.trail.at(-1);
  return last === undefined ? null : { ...now, trail: now.trail.slice(0, -1), menu: last.menu };
}

export function setExtra(now: OrderDraft, name: string, text: string): OrderDraft {
  const extras = { ...now.extras, [name]: text };
  if (text === "") delete extras[name];
  return { ...now, extras };
}

export function isComplete(now: OrderDraft): boolean {
  return now.menu === null;
}

/** The order with the parameters picked so far. */
export function orderOf({ verb, trail, extras }: OrderDraft): Order {
  const given = trail.filter(({ value }) => value !== SKIPPED).map(({ menu, value }) => [menu.param, value]);
  return { do: verb.do, ...Object.fromEntries(given), ...extras } as Order;
}

/** The parameter that is asked for, as the legend describes it. */
export function parameterOf({ verb, menu }: OrderDraft): Parameter | null {
  return menu ? (verb.params.find((parameter) => parameter.name === menu.param) ?? null) : null;
}

/** Whether the parameter may be left out. What lies on the board is what the order is about, and never may. */
export function isSkippable(now: OrderDraft): boolean {
  const parameter = parameterOf(now);
  if (parameter === null || !now.menu || !["number", "choice", "text"].includes(parameter.pick)) return false;
  const optional = parameter.optional === true || (now.menu.pick === "choice" && now.menu.optional === true);
  return optional && isLast(now);
}

/** Whether nothing that an order needs follows the parameter that is asked for. */
export function isLast({ verb, menu }: OrderDraft): boolean {
  const index = menu ? verb.params.findIndex((parameter) => parameter.name === menu.param) : -1;
  return verb.params.slice(index + 1).every((parameter) => parameter.optional === true);
}

/** Optional words that may be added before the order is given. */
export function extrasOf({ verb, trail }: OrderDraft): Parameter[] {
  const given = new Set(trail.map(({ menu }) => menu.param));
  return verb.params.filter((parameter) => parameter.optional === true && parameter.pick === "text" && !given.has(parameter.name));
}

/** The number that a field begins with. */
export function proposedAmount({ least, most, usual }: Extract<Menu, { pick: "number" }>): number {
  return Math.min(most, Math.max(least, usual ?? most));
}

/** What an order would do if a value is picked from a menu; null if the menu does not say. */
export function forecastFor(menu: Menu, value: unknown): Forecast | null {
  switch (menu.pick) {
    case "number":
      return menu.forecasts?.findLast(([from]) => from <= Number(value))?.[1] ?? null;
    case "cell":
      return menu.forecasts?.[menu.cells.findIndex((cell) => isSameCell(cell, value))] ?? null;
    case "piece":
      return menu.forecasts?.[menu.pieces.indexOf(value as number)] ?? null;
    default:
      return null;
  }
}

/** What the order would do as it stands, with the number in its field. */
export function forecastOf({ menu, trail }: OrderDraft, amount: number | null): Forecast | null {
  if (menu?.pick === "number") return amount === null ? null : forecastFor(menu, amount);
  const last = trail.at(-1);
  if (menu !== null || last === undefined) return null;
  return last.value === SKIPPED && last.menu.pick === "number" ? forecastFor(last.menu, last.menu.most) : forecastFor(last.menu, last.value);
}

/** Whether a menu offers anything at all. */
export function isEmpty(menu: Menu): boolean {
  switch (menu.pick) {
    case "cell":
      return menu.cells.length === 0;
    case "piece":
      return menu.pieces.length === 0;
    case "choice":
      return menu.choices.length === 0;
    case "path":
      return menu.steps.length === 0;
    case "number":
      return menu.least > menu.most;
  }
}

/** Whether a menu still offers what was picked from one like it. */
export function isOffered(menu: Menu | null, param: string, value: unknown): boolean {
  if (menu === null || menu.param !== param) return false;
  if (value === SKIPPED) return true;
  switch (menu.pick) {
    case "cell":
      return menu.cells.some((cell) => isSameCell(cell, value));
    case "piece":
      return menu.pieces.includes(value as number);
    case "choice":
      return menu.choices.includes(value as string) || typeof value === "string";
    case "path":
      return Array.isArray(value) && value.every((cell) => menu.steps.some((step) => isSameCell(step.cell, cell)));
    case "number":
      return typeof value === "number" && value >= menu.least && value <= menu.most;
  }
}

export function isSameCell(cell: unknown, other: unknown): boolean {
  return Array.isArray(cell) && Array.isArray(other) && cell[0] === other[0] && cell[1] === other[1];
}
