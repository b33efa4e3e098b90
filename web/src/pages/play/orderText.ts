/** Orders in words and on the board, from the legend alone. */

import { towards } from "../../board/directions";
import type { Scene } from "../../board/scene";
import { humanize } from "../../app/format";
import { gameWords, LONG_ID } from "../../app/sentences";
import { words } from "../../i18n";
import type { Order } from "../../api/orders";
import type { Cell, Phrase, Result, Verb } from "../../api/types";

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
  if (typeof choice === "boolean") return choice ? words.play.yes : words.play.no;
  return scene === null ? humanize(choice) : gameWords(scene.legend).name("choices", choice);
}

/** One value in words. */
export function valueIn(scene: Scene | null, verb: Verb, pick: string, name: string, value: unknown, names: ReadonlyMap<number, string> = new Map()): string {
  if (pick === "path" && Array.isArray(value)) {
    const end = value.at(-1) as Cell | undefined;
    return end === undefined ? words.play.stay : `→ ${end.join(", ")}${value.length > 1 ? ` (${words.count.step(value.length)})` : ""}`;
  }
  const parameter = parameterName(scene, verb, name);
  if (pick === "piece" && typeof value === "number") return names.get(value) ?? (scene !== null && scene.knownPiece(value) === null ? `${parameter} ${value}` : pieceName(scene, value));
  if (Array.isArray(value)) return `${/^(to|at|from)$/.test(name) ? (name === "to" ? "→ " : "") : `${parameter} `}${value.join(", ")}`;
  if (pick === "direction") return `→ ${choiceName(scene, String(value))}`;
  if (pick === "number") return `${parameter} ${String(value)}`;
  if (typeof value === "boolean") return `${parameter}: ${choiceName(scene, value)}`;
  return pick === "text" ? String(value) : choiceName(scene, String(value));
}

/** What became of an order, with the names of its pieces. */
export function resultText(scene: Scene, verb: Verb | null, result: Result): string {
  return gameWords(scene.legend).result(result, pieceNamer(scene, verb));
}

/** Why an order would be refused, with the names of its pieces. */
export function reasonText(scene: Scene, verb: Verb, reason: Phrase): string {
  return gameWords(scene.legend).reason(reason, pieceNamer(scene, verb));
}

function pieceNamer(scene: Scene, verb: Verb | null): (name: string, value: number) => string | null {
  const picks = new Map(verb?.params.map(({ name, pick }) => [name, pick]));
  return (name, value) => (picks.get(name) === "piece" ? pieceName(scene, value) : null);
}

/** A piece by its own name, else by its kind with whose it is or its number. */
export function pieceName(scene: Scene | null, id: number, seat: number | null = null): string {
  const piece = scene?.knownPiece(id) ?? null;
  if (scene === null || piece === null) return id < LONG_ID || scene === null ? `#${id}` : gameWords(scene.legend).phrase("piece");
  const names = gameWords(scene.legend);
  const kind = names.name("kinds", scene.legend.kinds[piece.kind]?.name ?? "");
  const own = scene.pieceNames.get(id);
  if (own !== undefined) return names.phrase("named_piece", { kind, name: own });
  if (seat !== null && piece.owner >= 0 && piece.owner !== seat) return names.phrase("owned_piece", { player: scene.names[piece.owner] ?? names.phrase("player"), kind });
  if (seat !== null && piece.owner < 0 && scene.teamOf(piece) >= 0) return names.phrase("team_piece", { kind, team: scene.teamName(scene.teamOf(piece)) });
  return id < LONG_ID ? `${kind} #${id}` : kind;
}
