/** Cells that belong together: a brush's disc, a line, a patch of the same ground; and boards with nothing on them. */

import { Grid } from "../../board/geometry";
import type { Cell, Drawing, MapSpec } from "../../api/types";

export const named = ([column, row]: Cell): string => `${column},${row}`;

/** All cells that can be reached in so many steps. */
export function disc(grid: Grid, middle: Cell, reach: number): Cell[] {
  const found = new Map<string, Cell>([[named(middle), middle]]);
  let edge: Cell[] = [middle];
  for (let step = 0; step < reach; step++) {
    const next: Cell[] = [];
    for (const cell of edge)
      for (const near of around(grid, cell))
        if (!found.has(named(near))) {
          found.set(named(near), near);
          next.push(near);
        }
    edge = next;
  }
  return [...found.values()];
}

/** A square brush is a square: corners count as near, too. */
function around(grid: Grid, [column, row]: Cell): Cell[] {
  if (grid.hex) return grid.neighbours(column, row);
  return [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right): Cell => [column + right, row + down]));
}

/** The cells on the straight way from one to another, both included. */
export function line(grid: Grid, from: Cell, to: Cell): Cell[] {
  const one = grid.centre(...from);
  const two = grid.centre(...to);
  const steps = Math.max(1, Math.ceil(Math.hypot(two.x - one.x, two.y - one.y) * 2));
  const found = new Map<string, Cell>();
  for (let step = 0; step <= steps; step++) {
    // A hair beside the middle, so that a way along an edge does not jump from side to side.
    const cell = grid.at(one.x + ((two.x - one.x) * step) / steps + 1e-6, one.y + ((two.y - one.y) * step) / steps + 1e-6);
    found.set(named(cell), cell);
  }
  return [...found.values()];
}

/** The cells round one that are alike and touch each other by their sides. */
export function patch(grid: Grid, start: Cell, alike: (cell: Cell) => boolean): Cell[] {
  const found = new Map<string, Cell>([[named(start), start]]);
  const open: Cell[] = [start];
  for (let cell = open.pop(); cell !== undefined; cell = open.pop())
    for (const near of grid.neighbours(...cell))
      if (!found.has(named(near)) && alike(near)) {
        found.set(named(near), near);
        open.push(near);
      }
  return [...found.values()];
}

/** The size by which people know a board: both sides, or the radius of a hexagon. */
export interface Size {
  width: number;
  height: number;
}

export function sizeOf(spec: MapSpec, drawing: Pick<Drawing, "box">): Size {
  const [left, right, top, bottom] = drawing.box;
  if (spec.shape === "hexagon") return { width: (bottom - top) / 2, height: (bottom - top) / 2 };
  return { width: right - left + 1, height: bottom - top + 1 };
}

/** A board with what is usual on every cell. */
export function blank(spec: MapSpec, size: Size): Drawing {
  const hexagonal = spec.shape === "hexagon" || (spec.shape === "any" && size.width === 0);
  const box = hexagonal ? hexagonBox(size.height) : ([0, size.width - 1, 0, size.height - 1] as Drawing["box"]);
  const [left, right, top, bottom] = box;
  const layers = spec.layers.map((layer) => new Array<number>((right - left + 1) * (bottom - top + 1)).fill(layer.usual ?? 0));
  if (hexagonal) cutToHexagon(box, size.height, layers);
  return { box, layers, marks: [] };
}

function hexagonBox(radius: number): Drawing["box"] {
  return [-radius, radius, -radius, radius];
}

/** Whether a cell lies within so many steps of [0, 0] on a hex board. */
function isWithin([column, row]: Cell, radius: number): boolean {
  const q = column - (row >> 1);
  return Math.max(Math.abs(q), Math.abs(row), Math.abs(q + row)) <= radius;
}

function cutToHexagon([left, right, top]: Drawing["box"], radius: number, layers: number[][]): void {
  const width = right - left + 1;
  const [first = []] = layers;
  for (let index = 0; index < first.length; index++)
    if (!isWithin([left + (index % width), top + Math.floor(index / width)], radius)) for (const layer of layers) layer[index] = -1;
}

/** The same map on a larger or smaller board: its middle stays in the middle, as far as rows of hexes allow. */
export function resizeDrawing(spec: MapSpec, drawing: Drawing, size: Size): Drawing {
  const now = sizeOf(spec, drawing);
  const made = blank(spec, size);
  const hex = spec.topology === "hex";
  const [left, right, top] = drawing.box;
  const right_by = spec.shape === "hexagon" ? 0 : Math.floor((size.width - now.width) / 2) - left;
  const wanted = spec.shape === "hexagon" ? 0 : Math.floor((size.height - now.height) / 2) - top;
  const down_by = hex && wanted % 2 !== 0 ? wanted - Math.sign(wanted) : wanted;
  const [newLeft, newRight, newTop, newBottom] = made.box;
  const width = right - left + 1;
  const newWidth = newRight - newLeft + 1;
  for (let row = newTop; row <= newBottom; row++)
    for (let column = newLeft; column <= newRight; column++) {
      const [oldColumn, oldRow] = [column - right_by, row - down_by];
      if (oldColumn < left || oldColumn > right || oldRow < top || oldRow > drawing.box[3]) {
        if (spec.shape === "any") for (const layer of made.layers) layer[(row - newTop) * newWidth + column - newLeft] = -1;
        continue;
      }
      const index = (row - newTop) * newWidth + column - newLeft;
      if (spec.shape === "hexagon" && (made.layers[0]?.[index] ?? -1) < 0) continue;
      const before = (oldRow - top) * width + oldColumn - left;
      if (spec.shape === "hexagon" && (drawing.layers[0]?.[before] ?? -1) < 0) continue;
      made.layers.forEach((layer, place) => (layer[index] = drawing.layers[place]?.[before] ?? 0));
    }
  const grid = gridOf(spec, made.box);
  made.marks = (drawing.marks ?? [])
    .map((mark) => ({ ...mark, at: [mark.at[0] + right_by, mark.at[1] + down_by] as Cell }))
    .filter((mark) => {
      const [column, row] = mark.at;
      return grid.place(column, row) !== null && (made.layers[0]?.[(row - newTop) * newWidth + column - newLeft] ?? -1) >= 0;
    });
  return made;
}

export function gridOf(spec: MapSpec, box: Drawing["box"]): Grid {
  return new Grid({ topology: spec.topology, dialect: spec.topology === "hex" ? "odd-r" : "square", size: 0, box, chunk: 32 });
}
