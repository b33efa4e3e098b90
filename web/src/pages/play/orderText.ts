/** Orders in words and on the board, from the legend alone. */

import { towards } from "../../board/directions";
import type { Scene } from "../../board/scene";
import { humanize } from "../../app/format";
import { gameWords, LONG_ID } from "../../app/sentences";
import type { Order } from "../../api/orders";
import type { Cell, Result, Verb } from "../../api/types";

export interface Shape {
  /** Cells that the order names, from where it starts to where it ends. */
  path: Cell[];
  /** Whether the cells follow one another, so that a line through them says where it goes. */
  leads: boolean;
}

export function verbOf(verbs: readonly Verb[], order: unknown): Verb | null {
  const name = typeof order === "object" && order !== null ? (order as Order).do : undefined;
  return verbs.find((verb) => verb.do === name) ?? null;
}

/** The piece that carries out an order, by id; null if it names none. */
export function subjectOf(verbs: readonly Verb[], order: Order): number | null {
  const parameter = verbOf(verbs, order)?.params[0];
  const value = parameter?.pick === "piece" ? order[parameter.name] : null;
  return typeof value === "number" ? value : null;
}

/** Where an order happens: its cells in the order of its parameters. */
export function shapeOf(scene: Scene, verb: Verb, order: Order): Shape {
  const path: Cell[] = [];
  for (const { name, pick } of verb.params) {
    const value = order[name];
    if (value === undefined || value === null) continue;
    if (pick === "path" && Array.isArray(value)) path.push(...(value as Cell[]).map((cell) => scene.grid.fromWritten(cell)));
    else if (pick === "direction") {
      const from = path.at(-1);
      const to = from === undefined ? null : towards(scene.grid, from, String(value));
      if (to !== null) path.push(to);
    } else if (pick === "cell" || pick === "piece") {
      const cell = placeOf(scene, value);
      if (cell !== null) path.push(cell);
    }
  }
  return { path, leads: path.length > 1 };
}

/** The cell of a value: a pair is a cell, a number the id of a piece on the board. */
export function placeOf(scene: Scene, value: unknown): Cell | null {
  if (Array.isArray(value)) return scene.grid.fromWritten(value as Cell);
  const piece = typeof value === "number" ? scene.pieces.get(value) : undefined;
  return piece === undefined ? null : [piece.column, piece.row];
}

/** `move · bee #4 → NE`: the verb apart, then what was picked. */
export function wordsOf(scene: Scene | null, verb: Verb | null, order: Order, names: ReadonlyMap<number, string> = new Map()): { verb: string; rest: string } {
  if (verb === null) return { verb: humanize(String(order.do ?? "order")), rest: "" };
  const parts: string[] = [];
  for (const { name, pick } of verb.params) {
    const value = order[name];
    if (value === undefined || value === null) continue;
    parts.push(valueIn(scene, verb, pick, name, value, names));
  }
  return { verb: verbName(scene, verb), rest: parts.join(" · ") };
}

export function verbName(scene: Scene | null, verb: Verb): string {
  return scene === null ? humanize(verb.do) : gameWords(scene.legend).name("verbs", verb.do);
}

export function parameterName(scene: Scene | null, verb: Verb, name: string): string {
  return scene === null ? humanize(name) : gameWords(scene.legend).parameter(verb.do, name);
}

export function choiceName(scene: Scene | null, choice: string | boolean): string {
  if (typeof choice === "boolean") return choice ? "yes" : "no";
  return scene === null ? humanize(choice) : gameWords(scene.legend).name("choices", choice);
}

/** One value in words. */
export function valueIn(scene: Scene | null, verb: Verb, pick: string, name: string, value: unknown, names: ReadonlyMap<number, string> = new Map()): string {
  if (pick === "path" && Array.isArray(value)) {
    const end = value.at(-1) as Cell | undefined;
    return end === undefined ? "stay" : `→ ${end.join(", ")}${value.length > 1 ? ` (${value.length} steps)` : ""}`;
  }
  const parameter = parameterName(scene, verb, name);
  if (pick === "piece" && typeof value === "number") return names.get(value) ?? pieceName(scene, value);
  if (Array.isArray(value)) return `${/^(to|at|from)$/.test(name) ? (name === "to" ? "→ " : "") : `${parameter} `}${value.join(", ")}`;
  if (pick === "direction") return `→ ${String(value)}`;
  if (pick === "number") return `${parameter} ${String(value)}`;
  if (typeof value === "boolean") return `${parameter}: ${choiceName(scene, value)}`;
  return pick === "text" ? String(value) : choiceName(scene, String(value));
}

/** What became of an order, with the names of its pieces. */
export function resultText(scene: Scene, verb: Verb | null, result: Result): string {
  const picks = new Map(verb?.params.map(({ name, pick }) => [name, pick]));
  return gameWords(scene.legend).result(result, (name, value) => (picks.get(name) === "piece" ? pieceName(scene, value) : null));
}

export function pieceName(scene: Scene | null, id: number): string {
  const piece = scene?.knownPiece(id) ?? null;
  const kind = piece === null ? undefined : scene?.legend.kinds[piece.kind]?.name;
  const name = scene === null || kind === undefined ? "" : gameWords(scene.legend).name("kinds", kind);
  if (id >= LONG_ID) return name || (scene === null ? "piece" : gameWords(scene.legend).phrase("piece"));
  return name === "" ? `#${id}` : `${name} #${id}`;
}
