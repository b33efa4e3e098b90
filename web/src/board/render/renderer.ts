/** Renderers of the board: WebGL if the browser has it, else Canvas2D. */

import type { Camera } from "../camera";
import type { Point } from "../geometry";
import type { MapStyle } from "./mapStyle";
import type { Piece, Scene } from "../scene";

export interface RenderInput {
  scene: Scene;
  mapStyle: MapStyle;
  camera: Camera;
  /** Where each piece is now, animations included. */
  where: (piece: Piece) => Point;
  /** Whether pieces are moving, so that they must be placed again. */
  moving: boolean;
}

export interface Renderer {
  readonly kind: "webgl" | "canvas";
  resize(width: number, height: number, ratio: number): void;
  render(input: RenderInput): void;
  destroy(): void;
}

/** Create a renderer. A canvas keeps its first kind of context, so each try gets a canvas of its own. */
export async function createRenderer(host: HTMLElement, kind: "webgl" | "canvas" | null): Promise<Renderer> {
  if (kind !== "canvas" && hasWebgl()) {
    try {
      const { PixiRenderer } = await import("./pixiRenderer");
      return await PixiRenderer.create(host);
    } catch (problem) {
      if (kind === "webgl") throw problem;
    }
  }
  const { Canvas2dRenderer } = await import("./canvas2dRenderer");
  return new Canvas2dRenderer(host);
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

/** A cache key: a chunk is repainted when it changes. */
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
