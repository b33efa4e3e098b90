/** Whoever paints the board: WebGL where there is one, else Canvas2D. */

import type { Camera } from "../camera";
import type { Point } from "../geometry";
import type { Look } from "./mapStyle";
import type { Piece, Scene } from "../scene";

export interface Painting {
  scene: Scene;
  look: Look;
  camera: Camera;
  /** Where each piece is now, which a glide may change. */
  where: (piece: Piece) => Point;
  /** Whether pieces are on the move, so that they must be placed anew. */
  moving: boolean;
}

export interface Painter {
  readonly kind: "webgl" | "canvas";
  resize(width: number, height: number, ratio: number): void;
  paint(painting: Painting): void;
  destroy(): void;
}

/** A painter for a canvas; a context that was asked for once cannot be changed, so each try gets a canvas of its own. */
export async function painterFor(host: HTMLElement, wished: "webgl" | "canvas" | null): Promise<Painter> {
  if (wished !== "canvas" && hasWebgl()) {
    try {
      const { PixiPainter } = await import("./pixiRenderer");
      return await PixiPainter.create(host);
    } catch (problem) {
      if (wished === "webgl") throw problem;
    }
  }
  const { CanvasPainter } = await import("./canvas2dRenderer");
  return new CanvasPainter(host);
}

function hasWebgl(): boolean {
  try {
    const context = document.createElement("canvas").getContext("webgl2");
    context?.getExtension("WEBGL_lose_context")?.loseContext();
    return context !== null;
  } catch {
    return false;
  }
}

/** What a chunk's picture depends on: when this changes, it is painted anew. */
export function stamp(scene: Scene, chunk: number, layers: readonly number[]): string {
  const versions = scene.chunks.get(chunk)?.versions;
  return layers.map((layer) => versions?.[layer] ?? -1).join();
}

/** The same for the land around a chunk, which decides where its frontiers are. */
export function landStamp(scene: Scene, chunk: number): string {
  const { across, down } = scene.grid;
  const x = chunk % across;
  const y = Math.floor(chunk / across);
  const parts: number[] = [];
  for (let row = Math.max(0, y - 1); row <= Math.min(down - 1, y + 1); row++)
    for (let column = Math.max(0, x - 1); column <= Math.min(across - 1, x + 1); column++)
      parts.push(scene.chunks.get(row * across + column)?.versions[scene.ownerLayer] ?? -1);
  return parts.join();
}

/** Width of a frontier in cells: two pixels, in steps so that not every turn of the wheel repaints. */
export function frontierWidth(zoom: number): number {
  const step = 2 ** (Math.round(Math.log2(zoom) * 2) / 2);
  return Math.min(0.16, (zoom < 10 ? 1.4 : 2.2) / step);
}
