/** The whole board in a corner, with the visible part. Chunks that are not held stay as they were last seen. */

import type { Camera } from "../camera";
import { lowDetailSize, paintLowDetail } from "./lowDetail";
import type { Point } from "../geometry";
import type { MapStyle } from "./mapStyle";
import { stamp } from "./renderer";
import type { Scene } from "../scene";

const MOST_TEXELS = 2048;

export class Minimap {
  private readonly picture = document.createElement("canvas");
  private readonly chunk = document.createElement("canvas");
  private readonly stamps = new Map<number, string>();
  private scene: Scene | null = null;
  private gridVersion = -1;
  private mapStyle: MapStyle | null = null;

  constructor(private readonly canvas: HTMLCanvasElement) {}

  draw(scene: Scene, mapStyle: MapStyle, camera: Camera, accent: string): void {
    if (this.scene !== scene || this.gridVersion !== scene.gridVersion || this.mapStyle !== mapStyle) this.start(scene, mapStyle);
    this.refresh(scene, mapStyle);
    const context = this.canvas.getContext("2d");
    if (context === null) return;
    const { width, height } = this.canvas;
    context.clearRect(0, 0, width, height);
    context.imageSmoothingEnabled = this.picture.width > width;
    context.drawImage(this.picture, 0, 0, width, height);
    const scale = this.scale(scene);
    for (const piece of scene.pieces.size > 2000 ? [] : scene.pieces.values()) {
      const at = scene.grid.centre(piece.column, piece.row);
      context.fillStyle = `#${mapStyle.playerColour(scene.sideOf(piece)).toString(16).padStart(6, "0")}`;
      context.fillRect((at.x - scene.grid.bounds.left) * scale - 1, (at.y - scene.grid.bounds.top) * scale - 1, 2.5, 2.5);
    }
    const { left, top, right, bottom } = camera.view;
    const x = Math.max(1, (left - scene.grid.bounds.left) * scale);
    const y = Math.max(1, (top - scene.grid.bounds.top) * scale);
    context.strokeStyle = accent;
    context.lineWidth = 1.5;
    context.strokeRect(
      x,
      y,
      Math.min(width - 1, (right - scene.grid.bounds.left) * scale) - x,
      Math.min(height - 1, (bottom - scene.grid.bounds.top) * scale) - y,
    );
  }

  /** The world's point under a point of the minimap. */
  at(scene: Scene, x: number, y: number): Point {
    const scale = this.scale(scene);
    return { x: x / scale + scene.grid.bounds.left, y: y / scale + scene.grid.bounds.top };
  }

  private scale(scene: Scene): number {
    const { left, right } = scene.grid.bounds;
    return this.canvas.width / (right - left);
  }

  private start(scene: Scene, mapStyle: MapStyle): void {
    const { bounds } = scene.grid;
    const fresh = this.scene !== scene || this.gridVersion !== scene.gridVersion;
    this.scene = scene;
    this.gridVersion = scene.gridVersion;
    this.mapStyle = mapStyle;
    this.stamps.clear();
    if (!fresh) return;
    const width = bounds.right - bounds.left;
    const height = bounds.bottom - bounds.top;
    const texels = Math.min(scene.grid.hex ? 2 : 1, MOST_TEXELS / Math.max(width, height));
    this.picture.width = Math.max(1, Math.round(width * texels));
    this.picture.height = Math.max(1, Math.round(height * texels));
    const most = Number(this.canvas.dataset["size"] ?? 176);
    const size = most / Math.max(width, height * 1.15);
    this.canvas.width = Math.round(width * size);
    this.canvas.height = Math.round(height * size);
  }

  private refresh(scene: Scene, mapStyle: MapStyle): void {
    const context = this.picture.getContext("2d");
    if (context === null) return;
    const { bounds } = scene.grid;
    const scale = this.picture.width / (bounds.right - bounds.left);
    for (const [chunk, cells] of scene.chunks) {
      const wanted = stamp(scene, chunk, [scene.ownerLayer, mapStyle.shown.heat ?? mapStyle.ground]);
      if (this.stamps.get(chunk) === wanted) continue;
      this.stamps.set(chunk, wanted);
      const size = lowDetailSize(scene, chunk);
      this.chunk.width = size.width;
      this.chunk.height = size.height;
      const image = new ImageData(size.width, size.height);
      paintLowDetail(scene, mapStyle, chunk, cells, image);
      this.chunk.getContext("2d")?.putImageData(image, 0, 0);
      context.imageSmoothingEnabled = false;
      const x = (size.left - bounds.left) * scale;
      const y = (size.top - bounds.top) * scale;
      context.clearRect(x, y, size.worldWidth * scale - (scene.grid.hex ? 1 : 0), size.worldHeight * scale);
      context.drawImage(this.chunk, x, y, size.worldWidth * scale, size.worldHeight * scale);
    }
  }
}
