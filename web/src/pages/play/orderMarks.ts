/** Marks on the board: targets, the order that is built, the queue, the selected order. */

import { compactNumber } from "../../app/format";
import { gameWords } from "../../app/sentences";
import type { Highlight } from "../../board/render/overlay";
import type { Scene } from "../../board/scene";
import type { Order } from "../../api/orders";
import type { Cell, Forecast, Step } from "../../api/types";
import { forecastFor, orderOf } from "./orderDraft";
import { shapeOf, verbOf } from "./orderText";
import type { PlaySession } from "./playSession.svelte";
import { candidates, originOf } from "./orderMenu";
import { costOf, pathTo } from "./paths";

/** Colours of marks; none is a player's. */
export interface Inks {
  ink: string;
  danger: string;
}

/** Labels on more cells than this would hide the board. */
const MOST_LABELS = 48;
/** More cells than this are marked as one area. */
const MOST_SINGLE = 18;

export function marksOf(play: PlaySession, scene: Scene, hover: Cell | null, inks: Inks): Highlight[] {
  const marks: Highlight[] = [];
  if (play.viewer.view.following) for (const { order } of play.outbox.queue) if (order !== play.builder.shown) marks.push(...orderHighlights(play, scene, order, inks, play.builder.forecastOf(order)));
  const now = play.builder.draft;
  if (now !== null) {
    const steps = stepsOf(play);
    const cells = candidates(scene, now);
    const costs = steps.length > 0 && steps.length <= MOST_LABELS ? cells.map((cell) => String(costAt(scene, steps, cell) ?? "")) : undefined;
    const ordered = new Set(play.orderedPieces.map((id) => scene.pieces.get(id)).map((piece) => `${piece?.column},${piece?.row}`));
    const done = now.menu?.pick === "piece" ? cells.filter((cell) => ordered.has(cell.join())) : [];
    if (done.length > 0) marks.push({ cells: done, colour: inks.ink, style: "outline", labels: done.map(() => "✓") });
    const prospects = prospectsOf(play, scene, cells);
    const labels = costs ?? (prospects.some(({ label }) => label !== "") ? prospects.map(({ label }) => label) : undefined);
    if (cells.length > 0) marks.push({ cells, colour: inks.ink, dashed: true, style: cells.length > MOST_SINGLE ? "area" : "fill", ...(labels === undefined ? {} : { labels }) });
    const hopeless = cells.filter((_, index) => prospects[index]?.hopeless);
    if (hopeless.length > 0) marks.push({ cells: hopeless, colour: inks.danger, dashed: true, style: "outline", labels: labels?.filter((_, index) => prospects[index]?.hopeless) ?? [] });
    const amount = now.menu?.pick === "number" && play.builder.amount !== null ? { [now.menu.param]: play.builder.amount } : {};
    marks.push(...orderHighlights(play, scene, { ...orderOf(now), ...amount }, inks, play.builder.forecast));
    const from = originOf(scene, now);
    const last = now.trail.at(-1);
    const chosen = now.menu === null && last?.menu.pick === "cell" ? pathTo(last.menu.steps ?? [], last.value as Cell) : null;
    const hovered = hover === null ? null : pathTo(steps, scene.grid.toWritten(...hover));
    const seen = play.builder.path.length > 0 ? play.builder.path : (chosen ?? hovered);
    if (from !== null && seen !== null && seen.length > 0)
      marks.push({ cells: [from, ...seen.map((cell) => scene.grid.fromWritten(cell))], colour: inks.ink, style: "path" });
  }
  if (play.builder.shown !== null) marks.push(...orderHighlights(play, scene, play.builder.shown, inks, play.builder.forecastOf(play.builder.shown)));
  return marks;
}

/** What it would cost to go to the cell under the cursor. */
export function previewOf(play: PlaySession, scene: Scene, hover: Cell | null): { cost: number; cell: Cell } | null {
  const steps = stepsOf(play);
  if (hover === null || steps.length === 0 || play.builder.path.length > 0) return null;
  const cost = costAt(scene, steps, hover);
  return cost === null ? null : { cost, cell: hover };
}

function stepsOf(play: PlaySession): readonly Step[] {
  const menu = play.builder.draft?.menu;
  return menu?.pick === "path" ? menu.steps : menu?.pick === "cell" ? (menu.steps ?? []) : [];
}

function costAt(scene: Scene, steps: readonly Step[], cell: Cell): number | null {
  const path = pathTo(steps, scene.grid.toWritten(...cell));
  return path === null ? null : costOf(steps, path);
}

interface Prospect {
  label: string;
  hopeless: boolean;
}

/** For each cell that can be picked what the order needs or would do there; empty if there are too many cells. */
function prospectsOf(play: PlaySession, scene: Scene, cells: readonly Cell[]): Prospect[] {
  const menu = play.builder.draft?.menu;
  if (!menu || (menu.pick !== "cell" && menu.pick !== "piece") || cells.length > MOST_LABELS) return [];
  const values = menu.pick === "cell" ? menu.cells : menu.pieces.filter((id) => scene.pieces.has(id));
  return values.map((value) => {
    const need = menu.pick === "cell" ? play.builder.neededAfter(value) : null;
    if (need !== null) return { label: compactNumber(need.needed), hopeless: !need.isThere };
    const forecast = forecastFor(menu, value);
    return forecast === null ? { label: "", hopeless: false } : { label: gameWords(scene.legend).forecast(forecast).label, hopeless: forecast.hopeless === true };
  });
}

function orderHighlights(play: PlaySession, scene: Scene, order: Order, inks: Inks, forecast: Forecast | null): Highlight[] {
  const verb = verbOf(play.builder.verbs, order);
  if (verb === null) return [];
  const { path, leads } = shapeOf(scene, verb, order);
  const end = path.at(-1);
  const numbers = verb.params.flatMap(({ name, pick }) => (pick === "number" && typeof order[name] === "number" ? [String(order[name])] : []));
  if (end === undefined) return [];
  const expected = forecast === null ? "" : gameWords(scene.legend).forecast(forecast).label;
  const label = [...numbers, expected].filter((part) => part !== "").join(" · ");
  const colour = forecast?.hopeless === true ? inks.danger : inks.ink;
  if (leads && !isAround(scene, path)) return [{ cells: [end], colour, style: "outline" }, { cells: path, colour, style: "path", labels: [label] }];
  return [...(leads ? [{ cells: path, colour, style: "outline" as const }] : []), { cells: [end], colour, style: "outline", labels: [label] }];
}

/** Whether a path wraps around the edge of the board: no line can show that. */
function isAround(scene: Scene, path: readonly Cell[]): boolean {
  const { columns, rows } = scene.grid;
  return path.some(([column, row], index) => {
    const before = path[index - 1];
    return before !== undefined && (Math.abs(column - before[0]) > columns / 2 || Math.abs(row - before[1]) > rows / 2);
  });
}
