/** A chunk seen from afar: one texel a cell (two for hexes, whose rows are shifted by half a cell). */

import { ROW_PITCH } from "../geometry";
import type { MapStyle } from "./mapStyle";
import type { ChunkCells, Scene } from "../scene";
import { cellColour, holders } from "./tiles";

export interface LowDetailSize {
  /** Texels. */
  width: number;
  height: number;
  /** Where the picture lies in the world. */
  left: number;
  top: number;
  worldWidth: number;
  worldHeight: number;
}

export function lowDetailSize(scene: Scene, chunk: number): LowDetailSize {
  const { grid } = scene;
  const [column, row] = grid.origin(chunk);
  const wide = grid.hex ? 2 * grid.side + 1 : grid.side;
  return {
    width: wide,
    height: grid.side,
    left: column,
    top: grid.hex ? row * ROW_PITCH + 0.15 : row,
    worldWidth: grid.hex ? wide / 2 : wide,
    worldHeight: grid.hex ? grid.side * ROW_PITCH : grid.side,
  };
}

/** Paint a chunk; land next to another player's is painted stronger, which draws the frontiers. */
export function paintLowDetail(scene: Scene, mapStyle: MapStyle, chunk: number, cells: ChunkCells, into: ImageData): void {
  const { grid } = scene;
  const [, firstRow] = grid.origin(chunk);
  const pixels = new Uint32Array(into.data.buffer);
  pixels.fill(0);
  for (let offset = 0; offset < cells.present.length; offset++) {
    if (cells.present[offset] === 0) continue;
    const column = offset % grid.side;
    const row = Math.floor(offset / grid.side);
    const colour = frontierColour(scene, mapStyle, cells, offset) ?? cellColour(scene, mapStyle, cells, offset);
    const pixel = 0xff000000 | ((colour & 255) << 16) | (colour & 0xff00) | (colour >> 16);
    if (!grid.hex) pixels[row * into.width + column] = pixel;
    else {
      const at = row * into.width + 2 * column + ((firstRow + row) & 1);
      pixels[at] = pixel;
      pixels[at + 1] = pixel;
    }
  }
}

/** The full colour of the holder, on the inner side of a frontier inside the chunk. */
function frontierColour(scene: Scene, mapStyle: MapStyle, cells: ChunkCells, offset: number): number | null {
  if (!mapStyle.shown.owner || scene.ownerLayer < 0) return null;
  const [owner] = holders(scene, cells, offset);
  if (owner === undefined || (mapStyle.focus !== null && mapStyle.focus !== owner)) return null;
  const { side } = scene.grid;
  const column = offset % side;
  const row = Math.floor(offset / side);
  const near = [column > 0 ? offset - 1 : -1, column < side - 1 ? offset + 1 : -1, row > 0 ? offset - side : -1, row < side - 1 ? offset + side : -1];
  const frontier = near.some((neighbour) => neighbour >= 0 && cells.present[neighbour] && !holders(scene, cells, neighbour).includes(owner));
  return frontier ? mapStyle.playerColour(owner) : null;
}
