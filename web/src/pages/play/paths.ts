/** Paths over the board from a menu's steps: the cheapest one to a cell, or one that is drawn cell by cell. */

import type { Cell, Step } from "../../api/types";
import { isSameCell } from "./orderDraft";

/** The cheapest path to a cell, without the start; null where no step leads there. */
export function pathTo(steps: readonly Step[], goal: Cell): Cell[] | null {
  const path: Cell[] = [];
  let at: Cell | null = goal;
  while (at !== null && path.length <= steps.length) {
    const cell: Cell = at;
    const step = steps.find((candidate) => isSameCell(candidate.cell, cell));
    if (step === undefined) return null;
    path.unshift(cell);
    at = step.parent;
  }
  return path;
}

/** The cost of entering a cell: the difference to the cell before on a cheapest path. */
export function costToEnter(steps: readonly Step[], cell: Cell): number | null {
  const step = steps.find((candidate) => isSameCell(candidate.cell, cell));
  if (step === undefined) return null;
  const { parent } = step;
  const before = parent === null ? 0 : steps.find((candidate) => isSameCell(candidate.cell, parent))?.cost;
  return before === undefined ? null : step.cost - before;
}

export function costOf(steps: readonly Step[], path: readonly Cell[]): number | null {
  let sum = 0;
  for (const cell of path) {
    const entry = costToEnter(steps, cell);
    if (entry === null) return null;
    sum += entry;
  }
  return sum;
}

/**
 * A path after a click on a cell: cut back where it goes through the cell already, longer by it where it lies beside the
 * end, else the cheapest one. Null where no path leads there.
 */
export function extendPath(steps: readonly Step[], path: readonly Cell[], cell: Cell, beside: (a: Cell, b: Cell) => boolean): Cell[] | null {
  const at = path.findIndex((passed) => isSameCell(passed, cell));
  if (at >= 0) return path.slice(0, at + 1);
  if (!steps.some((step) => isSameCell(step.cell, cell))) return null;
  const end = path.at(-1);
  const farthest = Math.max(...steps.map((step) => step.cost));
  if (end !== undefined && beside(end, cell)) {
    const longer = [...path, cell];
    const cost = costOf(steps, longer);
    if (cost !== null && cost <= farthest) return longer;
  }
  return pathTo(steps, cell);
}
