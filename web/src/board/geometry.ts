/** Where cells lie. The world's unit is one cell's width; columns and rows are the raster of frames. */

import type { BoardShape, Cell } from "../api/types";

export const ROW_PITCH = Math.sqrt(3) / 2;
const RADIUS = 1 / Math.sqrt(3);

export interface Point {
  x: number;
  y: number;
}

export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Steps to the neighbours of a hex, clockwise from the east, in even and odd rows. */
const HEX_STEPS: readonly [readonly Cell[], readonly Cell[]] = [
  [[1, 0], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1]],
  [[1, 0], [1, 1], [0, 1], [-1, 0], [0, -1], [1, -1]],
];
const SQUARE_STEPS: readonly Cell[] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/** Corners around a centre, clockwise; side n lies between corner n and n + 1, towards neighbour n. */
const HEX_CORNERS: readonly Point[] = [-30, 30, 90, 150, 210, 270].map((angle) => ({
  x: RADIUS * Math.cos((angle * Math.PI) / 180),
  y: RADIUS * Math.sin((angle * Math.PI) / 180),
}));
const SQUARE_CORNERS: readonly Point[] = [
  { x: 0.5, y: -0.5 },
  { x: 0.5, y: 0.5 },
  { x: -0.5, y: 0.5 },
  { x: -0.5, y: -0.5 },
];

export class Grid {
  readonly hex: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly across: number;
  readonly down: number;
  readonly side: number;
  readonly corners: readonly Point[];
  readonly bounds: Rect;
  private readonly firstColumn: number;
  private readonly firstRow: number;

  constructor(readonly shape: BoardShape) {
    const [left, right, top, bottom] = shape.box;
    this.hex = shape.topology === "hex";
    this.firstColumn = left;
    this.firstRow = top;
    this.columns = right - left + 1;
    this.rows = bottom - top + 1;
    this.side = shape.chunk;
    this.across = Math.ceil(this.columns / this.side);
    this.down = Math.ceil(this.rows / this.side);
    this.corners = this.hex ? HEX_CORNERS : SQUARE_CORNERS;
    const last = this.centre(right, bottom);
    const first = this.centre(left, top);
    const half = this.hex ? RADIUS : 0.5;
    this.bounds = {
      left: left,
      top: first.y - half,
      right: right + (this.hex && this.rows > 1 ? 1.5 : 1),
      bottom: last.y + half,
    };
  }

  get chunkCount(): number {
    return this.across * this.down;
  }

  centre(column: number, row: number): Point {
    return this.hex
      ? { x: column + 0.5 + (row & 1) / 2, y: row * ROW_PITCH + RADIUS }
      : { x: column + 0.5, y: row + 0.5 };
  }

  /** The cell at a point of the world, on the board or beside it. */
  at(x: number, y: number): Cell {
    if (!this.hex) return [Math.floor(x), Math.floor(y)];
    const row = Math.floor((y - RADIUS / 4) / ROW_PITCH);
    let best: Cell = [0, row];
    let least = Infinity;
    for (const near of [row - 1, row, row + 1]) {
      const column = Math.floor(x - (near & 1) / 2);
      const centre = this.centre(column, near);
      const distance = (centre.x - x) ** 2 + (centre.y - y) ** 2;
      if (distance < least) [least, best] = [distance, [column, near]];
    }
    return best;
  }

  neighbours(column: number, row: number): Cell[] {
    const steps = this.hex ? HEX_STEPS[row & 1] : SQUARE_STEPS;
    return (steps ?? SQUARE_STEPS).map(([right, down]) => [column + right, row + down]);
  }

  /** The chunk of a cell and its place in it; null beside the board's box. */
  place(column: number, row: number): { chunk: number; offset: number } | null {
    const right = column - this.firstColumn;
    const down = row - this.firstRow;
    if (right < 0 || down < 0 || right >= this.columns || down >= this.rows) return null;
    const chunk = Math.floor(down / this.side) * this.across + Math.floor(right / this.side);
    return { chunk, offset: (down % this.side) * this.side + (right % this.side) };
  }

  cell(chunk: number, offset: number): Cell {
    const [column, row] = this.origin(chunk);
    return [column + (offset % this.side), row + Math.floor(offset / this.side)];
  }

  /** The first cell of a chunk. */
  origin(chunk: number): Cell {
    return [
      this.firstColumn + (chunk % this.across) * this.side,
      this.firstRow + Math.floor(chunk / this.across) * this.side,
    ];
  }

  /** The chunks that a part of the world touches, those nearest to its middle first. */
  chunksIn(rect: Rect): number[] {
    const pitch = this.hex ? ROW_PITCH : 1;
    const column = (x: number): number => Math.floor((x - this.firstColumn) / this.side);
    const row = (y: number): number => Math.floor((y / pitch - this.firstRow) / this.side);
    const left = Math.max(0, column(rect.left - 0.5));
    const right = Math.min(this.across - 1, column(rect.right));
    const top = Math.max(0, row(rect.top - 0.3));
    const bottom = Math.min(this.down - 1, row(rect.bottom));
    const middle = [column((rect.left + rect.right) / 2), row((rect.top + rect.bottom) / 2)] as const;
    const found: { chunk: number; distance: number }[] = [];
    for (let y = top; y <= bottom; y++)
      for (let x = left; x <= right; x++)
        found.push({ chunk: y * this.across + x, distance: (x - middle[0]) ** 2 + (y - middle[1]) ** 2 });
    return found.sort((a, b) => a.distance - b.distance).map(({ chunk }) => chunk);
  }

  /** Column and row of a cell as events, pieces and orders write it. */
  fromWritten([first, second]: readonly [number, number]): Cell {
    switch (this.shape.dialect) {
      case "axial":
        return [first + (second >> 1), second];
      case "doubled":
        return [((second - first) >> 1) + (first >> 1), first];
      default:
        return [first, second];
    }
  }

  toWritten(column: number, row: number): Cell {
    switch (this.shape.dialect) {
      case "axial":
        return [column - (row >> 1), row];
      case "doubled":
        return [row, 2 * (column - (row >> 1)) + row];
      default:
        return [column, row];
    }
  }
}
