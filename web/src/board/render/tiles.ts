/** What a chunk, and what all pieces look like, as tinted tiles in the world. Both renderers place the same tiles. */

import { mix, playerHatch } from "../../app/playerColours";
import { markTile, RINGS, spriteTile } from "./tileAtlas";
import type { Detail } from "../camera";
import { ROW_PITCH, type Point } from "../geometry";
import { playersIn, type MapStyle } from "./mapStyle";
import type { TileAtlas } from "./tileAtlas";
import type { ChunkCells, Piece, Scene } from "../scene";

/** Place a tile: its middle, its size in cells, its angle, its colour. */
export type Emit = (tile: string, x: number, y: number, width: number, height: number, angle: number, tint: number, alpha: number) => void;

const HEX_HEIGHT = 1 / ROW_PITCH;
/** Sizes of the rings around a piece: its health, and a task that goes on. */
const GAUGE = 0.92;
const PROGRESS = 1.1;

/** Who holds a cell: one side, or several of them. */
export function holders(scene: Scene, cells: ChunkCells, offset: number): number[] {
  const value = cells.layers[scene.ownerLayer]?.[offset] ?? -1;
  if (scene.layers[scene.ownerLayer]?.type === "players") return playersIn(value);
  return value < 0 ? [] : [value];
}

/** A cell's colour: its ground, tinted by who holds it. */
export function cellColour(scene: Scene, mapStyle: MapStyle, cells: ChunkCells, offset: number): number {
  let colour = mapStyle.groundAt(cells, offset).colour;
  if (!mapStyle.shown.owner || scene.ownerLayer < 0) return colour;
  const [holder] = holders(scene, cells, offset);
  if (holder !== undefined) colour = mix(colour, mapStyle.playerColour(holder), mapStyle.strength(holder));
  return colour;
}

export function emitGround(scene: Scene, mapStyle: MapStyle, chunk: number, cells: ChunkCells, emit: Emit): void {
  const height = scene.grid.hex ? HEX_HEIGHT : 1;
  const grid = mapStyle.shown.grid ? " grid" : "";
  forEachCell(scene, chunk, cells, (offset, at) => {
    const ground = mapStyle.groundAt(cells, offset);
    emit(ground.texture + grid, at.x, at.y, 1, height, 0, cellColour(scene, mapStyle, cells, offset), 1);
  });
}

/** Hatches of players beyond the first eight, and of land that several hold. */
export function emitHatches(scene: Scene, mapStyle: MapStyle, chunk: number, cells: ChunkCells, emit: Emit): void {
  if (!mapStyle.shown.owner || scene.ownerLayer < 0) return;
  const height = scene.grid.hex ? HEX_HEIGHT : 1;
  const shared = scene.layers[scene.ownerLayer]?.type === "players";
  if (!shared && scene.players.length <= 8) return;
  forEachCell(scene, chunk, cells, (offset, at) => {
    const [first, ...others] = holders(scene, cells, offset);
    if (first === undefined) return;
    const hatch = playerHatch(first);
    if (hatch > 0) emit(`land ${hatch}`, at.x, at.y, 1, height, 0, mapStyle.playerColour(first), 0.5);
    others.slice(0, 2).forEach((other, index) => {
      emit(`land ${index + 1}`, at.x, at.y, 1, height, 0, mapStyle.playerColour(other), mapStyle.strength(other) + 0.15);
    });
  });
}

/** A line along every side where another player's land begins, on the holder's own side of it. */
export function emitFrontiers(scene: Scene, mapStyle: MapStyle, chunk: number, cells: ChunkCells, thickness: number, emit: Emit): void {
  if (!mapStyle.shown.owner || scene.ownerLayer < 0) return;
  const { grid } = scene;
  const inset = thickness / 2;
  forEachCell(scene, chunk, cells, (offset, at, column, row) => {
    const owners = holders(scene, cells, offset);
    const [owner] = owners;
    if (owner === undefined) return;
    grid.neighbours(column, row).forEach(([x, y], side) => {
      const place = grid.place(x, y);
      const there = place === null ? undefined : scene.chunks.get(place.chunk);
      if (place !== null && there === undefined) return; // not loaded yet
      if (place !== null && there !== undefined && there.present[place.offset] && holders(scene, there, place.offset).includes(owner)) return;
      const start = grid.corners[side];
      const end = grid.corners[(side + 1) % grid.corners.length];
      if (start === undefined || end === undefined) return;
      const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
      const distance = Math.hypot(middle.x, middle.y);
      const shrink = (distance - inset) / distance;
      const length = Math.hypot(end.x - start.x, end.y - start.y) * shrink;
      const angle = Math.atan2(end.y - start.y, end.x - start.x);
      const faded = mapStyle.focus !== null && mapStyle.focus !== owner;
      emit("line", at.x + middle.x * shrink, at.y + middle.y * shrink, length + thickness / 2, thickness, angle, mapStyle.playerColour(owner), faded ? 0.35 : 0.95);
    });
  });
}

/** Marks of code layers and of ground words, and pips for small figures. */
export function emitMarks(scene: Scene, mapStyle: MapStyle, chunk: number, cells: ChunkCells, detail: Detail, emit: Emit): void {
  if (!mapStyle.shown.marks || detail === "far") return;
  const figures = mapStyle.figures.filter((layer) => (scene.layers[layer]?.most ?? 0) <= 5);
  forEachCell(scene, chunk, cells, (offset, at) => {
    const found: string[] = [];
    const ground = cells.layers[mapStyle.ground]?.[offset] ?? 0;
    if (mapStyle.hasGroundMark(ground)) found.push(markTile(mapStyle.ground, ground));
    for (const layer of mapStyle.marks) {
      const code = cells.layers[layer]?.[offset] ?? 0;
      if (code > 0) found.push(markTile(layer, code));
    }
    const [owner] = holders(scene, cells, offset);
    const tint = owner === undefined ? mapStyle.tones.mark : mix(mapStyle.playerColour(owner), mapStyle.tones.mark, 0.72);
    const size = detail === "near" ? 0.44 : 0.62;
    found.slice(-2).forEach((tile, index, all) => {
      const x = at.x + (index - (all.length - 1) / 2) * size * 0.9;
      const y = detail === "near" ? at.y - 0.12 : at.y;
      emit(`${tile} edge`, x, y, size, size, 0, mapStyle.tones.outline, 0.55);
      emit(tile, x, y, size, size, 0, tint, 1);
    });
    if (detail === "near" && mapStyle.shown.figures && found.length > 0)
      for (const layer of figures) {
        const value = cells.layers[layer]?.[offset] ?? 0;
        for (let pip = 0; pip < value; pip++)
          emit("pip", at.x + (pip - (value - 1) / 2) * 0.15, at.y + 0.19, 0.11, 0.11, 0, tint, 1);
      }
  });
}

/** Add the pictures of the pieces to the tiles; true if there are new ones. */
export function addSprites(scene: Scene, mapStyle: MapStyle, atlas: TileAtlas): boolean {
  if (!scene.legend.kinds.some(({ picture }) => picture)) return false;
  let added = false;
  for (const piece of scene.pieces.values()) {
    const template = scene.templateOf(piece);
    const picture = template > 0 ? mapStyle.pictureOf(template) : null;
    if (picture !== null && atlas.addSprite(template, picture)) added = true;
  }
  return added;
}

/** All pieces that stand somewhere; several on one cell are shown as one. */
export function emitPieces(scene: Scene, mapStyle: MapStyle, detail: Detail, where: (piece: Piece) => Point, emit: Emit): void {
  if (!mapStyle.shown.pieces) return;
  const taken = new Map<string, Piece>();
  for (const piece of scene.pieces.values()) {
    const key = `${piece.column},${piece.row}`;
    const other = taken.get(key);
    if (other === undefined || other.kind < piece.kind) taken.set(key, piece);
  }
  const large = detail === "far" ? 1.5 : detail === "middle" ? 0.86 : 0.62;
  for (const piece of taken.values()) {
    const at = where(piece);
    const colour = mapStyle.playerColour(scene.sideOf(piece));
    const faded = mapStyle.focus !== null && mapStyle.focus !== scene.sideOf(piece) ? 0.4 : 1;
    if (detail === "far") {
      emit("dot", at.x, at.y, large, large, 0, colour, faded);
      continue;
    }
    const template = scene.templateOf(piece);
    const picture = template > 0 ? mapStyle.pictureOf(template) : null;
    if (picture?.image) {
      emit("pip", at.x, at.y, large * 1.3, large * 1.3, 0, colour, faded); // whose it is
      emit(spriteTile(template), at.x, at.y, large * 0.8, large * 0.8, 0, 0xffffff, faded);
    } else {
      const tile = picture === null ? `piece ${piece.kind}` : spriteTile(template);
      emit(`${tile} edge`, at.x, at.y, large, large, 0, mapStyle.tones.outline, 0.9 * faded);
      emit(tile, at.x, at.y, large, large, 0, mix(colour, 0xffffff, mapStyle.theme === "dark" ? 0.18 : 0), faded);
    }
    if (detail === "near" && scene.legend.kinds[piece.kind]?.gauge) {
      const share = (piece.numbers[0] ?? 0) / (scene.fullest[piece.kind] ?? 1);
      emit(`ring ${RINGS}`, at.x, at.y, GAUGE, GAUGE, 0, mapStyle.tones.outline, 0.45 * faded);
      emitRing(share, at, GAUGE, colour, faded, emit);
    }
    const task = scene.progressOf(piece);
    if (task !== null) {
      emit(`ring ${RINGS}`, at.x, at.y, PROGRESS, PROGRESS, 0, mapStyle.tones.outline, 0.7 * faded);
      emitRing((task.total - task.left + 0.5) / task.total, at, PROGRESS, mapStyle.tones.ink, faded, emit);
    }
  }
}

function emitRing(share: number, at: Point, size: number, colour: number, alpha: number, emit: Emit): void {
  emit(`ring ${Math.max(0, Math.min(RINGS, Math.round(share * RINGS)))}`, at.x, at.y, size, size, 0, colour, alpha);
}

function forEachCell(
  scene: Scene,
  chunk: number,
  cells: ChunkCells,
  visit: (offset: number, at: Point, column: number, row: number) => void,
): void {
  const { grid } = scene;
  const [firstColumn, firstRow] = grid.origin(chunk);
  for (let offset = 0; offset < cells.present.length; offset++) {
    if (cells.present[offset] === 0) continue;
    const column = firstColumn + (offset % grid.side);
    const row = firstRow + Math.floor(offset / grid.side);
    visit(offset, grid.centre(column, row), column, row);
  }
}
