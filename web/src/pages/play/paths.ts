/** Paths over the board from a menu's steps: the cheapest one to a cell, or one that is drawn cell by cell. */

import type { Cell, Step } from "../../api/types";
import { isSameCell } from "./orderDraft";

/** The cheapest way to a cell, without the start; null where no step leads there. */
export function pathTo(steps: readonly Step[], goal: Cell): Cell[] | null {
  const way: Cell[] = [];
  let at: Cell | null = goal;
  while (at !== null && way.length <= steps.length) {
    const cell: Cell = at;
    const step = steps.find((one) => isSameCell(one.cell, cell));
    if (step === undefined) return null;
    way.unshift(cell);
    at = step.parent;
  }
  return way;
}

/** What it costs to enter a cell: a cheapest way tells it, as the difference to the cell before. */
export function costToEnter(steps: readonly Step[], cell: Cell): number | null {
  const step = steps.find((one) => isSameCell(one.cell, cell));
  if (step === undefined) return null;
  const { parent } = step;
  const before = parent === null ? 0 : steps.find((one) => isSameCell(one.cell, parent))?.cost;
  return before === undefined ? null : step.cost - before;
}

export function costOf(steps: readonly Step[], way: readonly Cell[]): number | null {
  let sum = 0;
  for (const cell of way) {
    const entry = costToEnter(steps, cell);
    if (entry === null) return null;
    sum += entry;
  }
  return sum;
}

/**
 * A way after a click on a cell: cut back where it goes through the cell already, longer by it where it lies beside the
 * end, else the cheapest one. Null where no way leads there.
 */
export function extendPath(steps: readonly Step[], way: readonly Cell[], cell: Cell, beside: (one: Cell, other: Cell) => boolean): Cell[] | null {
  const at = way.findIndex((one) => isSameCell(one, cell));
  if (at >= 0) return way.slice(0, at + 1);
  if (!steps.some((step) => isSameCell(step.cell, cell))) return null;
  const end = way.at(-1);
  const farthest = Math.max(...steps.map((step) => step.cost));
  if (end !== undefined && beside(end, cell)) {
    const longer = [...way, cell];
    const cost = costOf(steps, longer);
    if (cost !== null && cost <= farthest) return longer;
  }
  return pathTo(steps, cell);
}
