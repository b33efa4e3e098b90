/** The board by Canvas2D, where there is no WebGL: the same tiles, tinted once and kept. */

import { toCss } from "../../app/playerColours";
import { Atlas, TILE } from "./tileAtlas";
import { farSize, paintFar } from "./lowDetail";
import { frontierWidth, stamp, type Painter, type Painting } from "./renderer";
import type { ChunkCells, Scene } from "../scene";
import { emitFrontiers, emitGround, emitHatches, emitMarks, emitPieces, type Emit } from "./tiles";

const MOST_TINTED = 600;

export class CanvasPainter implements Painter {
  readonly kind = "canvas";
  private readonly canvas = document.createElement("canvas");
  private readonly context: CanvasRenderingContext2D;
  private readonly tinted = new Map<string, HTMLCanvasElement>();
  private readonly farPictures = new Map<number, { canvas: HTMLCanvasElement; stamp: string }>();
  private atlas: Atlas | null = null;
  private shownScene: Scene | null = null;
  private gridVersion = -1;
  private ratio = 1;

  constructor(host: HTMLElement) {
    const context = this.canvas.getContext("2d");
    if (context === null) throw new Error("This browser can draw neither with WebGL nor with Canvas2D.");
    this.context = context;
    this.canvas.setAttribute("aria-hidden", "true");
    host.append(this.canvas);
  }

  resize(width: number, height: number, ratio: number): void {
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
  }

  paint(painting: Painting): void {
    const { scene, camera, look } = painting;
    if (this.shownScene !== scene || this.gridVersion !== scene.gridVersion) {
      this.shownScene = scene;
      this.gridVersion = scene.gridVersion;
      this.atlas = new Atlas(scene.grid, scene.legend);
      this.tinted.clear();
      this.farPictures.clear();
    }
    const { context } = this;
    const scale = camera.zoom * this.ratio;
    const corner = camera.toScreen(0, 0);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(scale, 0, 0, scale, corner.x * this.ratio, corner.y * this.ratio);
    const { detail } = camera;
    const chunks = scene.grid.chunksIn(camera.view).flatMap((chunk) => {
      const cells = scene.chunks.get(chunk);
      return cells === undefined ? [] : [{ chunk, cells }];
    });
    if (detail === "far") for (const { chunk, cells } of chunks) this.paintFar(painting, chunk, cells);
    else {
      const width = frontierWidth(camera.zoom);
      for (const { chunk, cells } of chunks) emitGround(scene, look, chunk, cells, this.emit);
      for (const { chunk, cells } of chunks) emitHatches(scene, look, chunk, cells, this.emit);
      for (const { chunk, cells } of chunks) emitFrontiers(scene, look, chunk, cells, width, this.emit);
      for (const { chunk, cells } of chunks) emitMarks(scene, look, chunk, cells, detail, this.emit);
    }
    emitPieces(scene, look, detail, painting.where, this.emit);
  }

  destroy(): void {
    this.canvas.remove();
  }

  private readonly emit: Emit = (tile, x, y, width, height, angle, tint, alpha) => {
    const { context } = this;
    context.globalAlpha = alpha;
    if (tile === "line") {
      context.save();
      context.translate(x, y);
      context.rotate(angle);
      context.fillStyle = toCss(tint);
      context.fillRect(-width / 2, -height / 2, width, height);
      context.restore();
    } else context.drawImage(this.tile(tile, tint), x - width / 2, y - height / 2, width, height);
    context.globalAlpha = 1;
  };

  private tile(name: string, tint: number): HTMLCanvasElement {
    const key = `${name}#${tint}`;
    const kept = this.tinted.get(key);
    if (kept !== undefined) return kept;
    if (this.tinted.size > MOST_TINTED) this.tinted.clear();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = TILE;
    const context = canvas.getContext("2d");
    const place = this.atlas?.place(name);
    if (context !== null && place !== undefined && this.atlas !== null) {
      context.drawImage(this.atlas.canvas, place.x, place.y, TILE, TILE, 0, 0, TILE, TILE);
      context.globalCompositeOperation = "multiply";
      context.fillStyle = toCss(tint);
      context.fillRect(0, 0, TILE, TILE);
      context.globalCompositeOperation = "destination-in";
      context.drawImage(this.atlas.canvas, place.x, place.y, TILE, TILE, 0, 0, TILE, TILE);
    }
    this.tinted.set(key, canvas);
    return canvas;
  }

  private paintFar({ scene, look }: Painting, chunk: number, cells: ChunkCells): void {
    const wanted = stamp(scene, chunk, [scene.ownerLayer, look.shown.heat ?? look.ground]) + look.theme + String(look.focus);
    const size = farSize(scene, chunk);
    let kept = this.farPictures.get(chunk);
    if (kept?.stamp !== wanted) {
      const canvas = kept?.canvas ?? document.createElement("canvas");
      canvas.width = size.width;
      canvas.height = size.height;
      const image = new ImageData(size.width, size.height);
      paintFar(scene, look, chunk, cells, image);
      canvas.getContext("2d")?.putImageData(image, 0, 0);
      kept = { canvas, stamp: wanted };
      this.farPictures.set(chunk, kept);
    }
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(kept.canvas, size.left, size.top, size.worldWidth, size.worldHeight);
    this.context.imageSmoothingEnabled = true;
  }
}
