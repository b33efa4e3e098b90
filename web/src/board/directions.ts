/** Compass directions, and the keys that are arranged like them. */

import type { Cell } from "../api/types";
import type { Grid } from "./geometry";

/** Where the arrow keys lead: columns to the right, rows down. */
export const ARROWS: Readonly<Record<string, Cell>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Clockwise from the east, as `Grid.neighbours` counts. */
const HEX = ["E", "SE", "SW", "W", "NW", "NE"] as const;
const SQUARE = ["E", "S", "W", "N"] as const;

const KEYS: Record<string, string> = { NW: "q", N: "w", NE: "e", W: "a", E: "d", SW: "z", S: "x", SE: "c" };
const PLACES: Record<string, [column: number, row: number]> = {
  NW: [1, 1],
  N: [2, 1],
  NE: [3, 1],
  W: [1, 2],
  E: [3, 2],
  SW: [1, 3],
  S: [2, 3],
  SE: [3, 3],
};

/** The cell that lies in a direction; null for a word that is none. */
export function towards(grid: Grid, [column, row]: Cell, word: string): Cell | null {
  const index = (grid.hex ? HEX : SQUARE).findIndex((name) => name === word.toUpperCase());
  return grid.neighbours(column, row)[index] ?? null;
}

/** The key that means a direction. */
export function keyOf(word: string): string {
  return KEYS[word.toUpperCase()] ?? "";
}

/** Column and row of a direction in a rose of three by three. */
export function placeOf(word: string): [column: number, row: number] | null {
  return PLACES[word.toUpperCase()] ?? null;
}
