/** Cells that belong together: a brush's disc, a line, a patch of the same ground; and boards with nothing on them. */

import { Grid } from "../../board/geometry";
import type { Cell, Drawing, MapSpec } from "../../api/types";

export const cellKey = ([column, row]: Cell): string => `${column},${row}`;

/** All cells that can be reached in so many steps. */
export function disc(grid: Grid, middle: Cell, reach: number): Cell[] {
  const found = new Map<string, Cell>([[cellKey(middle), middle]]);
  let edge: Cell[] = [middle];
  for (let step = 0; step < reach; step++) {
    const next: Cell[] = [];
    for (const cell of edge)
      for (const near of around(grid, cell))
        if (!found.has(cellKey(near))) {
          found.set(cellKey(near), near);
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

/** The cells of a straight line, both ends included. */
export function line(grid: Grid, from: Cell, to: Cell): Cell[] {
  const start = grid.centre(...from);
  const end = grid.centre(...to);
  const steps = Math.max(1, Math.ceil(Math.hypot(end.x - start.x, end.y - start.y) * 2));
  const found = new Map<string, Cell>();
  for (let step = 0; step <= steps; step++) {
    // A small offset, so that a line along an edge does not alternate between its sides.
    const cell = grid.at(start.x + ((end.x - start.x) * step) / steps + 1e-6, start.y + ((end.y - start.y) * step) / steps + 1e-6);
    found.set(cellKey(cell), cell);
  }
  return [...found.values()];
}

/** Flood fill: the connected cells around `start` that are alike. */
export function floodFill(grid: Grid, start: Cell, alike: (cell: Cell) => boolean): Cell[] {
  const found = new Map<string, Cell>([[cellKey(start), start]]);
  const open: Cell[] = [start];
  for (let cell = open.pop(); cell !== undefined; cell = open.pop())
    for (const near of grid.neighbours(...cell))
      if (!found.has(cellKey(near)) && alike(near)) {
        found.set(cellKey(near), near);
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
export function blankDrawing(spec: MapSpec, size: Size): Drawing {
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
  const resized = blankDrawing(spec, size);
  const hex = spec.topology === "hex";
  const [left, right, top] = drawing.box;
  const rightBy = spec.shape === "hexagon" ? 0 : Math.floor((size.width - now.width) / 2) - left;
  const wanted = spec.shape === "hexagon" ? 0 : Math.floor((size.height - now.height) / 2) - top;
  const downBy = hex && wanted % 2 !== 0 ? wanted - Math.sign(wanted) : wanted;
  const [newLeft, newRight, newTop, newBottom] = resized.box;
  const width = right - left + 1;
  const newWidth = newRight - newLeft + 1;
  for (let row = newTop; row <= newBottom; row++)
    for (let column = newLeft; column <= newRight; column++) {
      const [oldColumn, oldRow] = [column - rightBy, row - downBy];
      if (oldColumn < left || oldColumn > right || oldRow < top || oldRow > drawing.box[3]) {
        if (spec.shape === "any") for (const layer of resized.layers) layer[(row - newTop) * newWidth + column - newLeft] = -1;
        continue;
      }
      const index = (row - newTop) * newWidth + column - newLeft;
      if (spec.shape === "hexagon" && (resized.layers[0]?.[index] ?? -1) < 0) continue;
      const before = (oldRow - top) * width + oldColumn - left;
      if (spec.shape === "hexagon" && (drawing.layers[0]?.[before] ?? -1) < 0) continue;
      resized.layers.forEach((layer, place) => (layer[index] = drawing.layers[place]?.[before] ?? 0));
    }
  const grid = gridOf(spec, resized.box);
  resized.marks = (drawing.marks ?? [])
    .map((mark) => ({ ...mark, at: [mark.at[0] + rightBy, mark.at[1] + downBy] as Cell }))
    .filter((mark) => {
      const [column, row] = mark.at;
      return grid.place(column, row) !== null && (resized.layers[0]?.[(row - newTop) * newWidth + column - newLeft] ?? -1) >= 0;
    });
  return resized;
}

export function gridOf(spec: MapSpec, box: Drawing["box"]): Grid {
  return new Grid({ topology: spec.topology, dialect: spec.topology === "hex" ? "odd-r" : "square", size: 0, box, chunk: 32 });
}
