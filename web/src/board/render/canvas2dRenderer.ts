/** Draws the board by Canvas2D, where there is no WebGL: the same tiles, with a cache of tinted ones. */

import { toCss } from "../../app/playerColours";
import { TileAtlas, TILE } from "./tileAtlas";
import { lowDetailSize, paintLowDetail } from "./lowDetail";
import { frontierWidth, stamp, type Renderer, type RenderInput } from "./renderer";
import type { ChunkCells, Scene } from "../scene";
import { addSprites, emitFrontiers, emitGround, emitHatches, emitMarks, emitPieces, type Emit } from "./tiles";

const MOST_TINTED = 600;

export class Canvas2dRenderer implements Renderer {
  readonly kind = "canvas";
  private readonly canvas = document.createElement("canvas");
  private readonly context: CanvasRenderingContext2D;
  private readonly tinted = new Map<string, HTMLCanvasElement>();
  private readonly chunkImages = new Map<number, { canvas: HTMLCanvasElement; stamp: string }>();
  private atlas: TileAtlas | null = null;
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

  render(input: RenderInput): void {
    const { scene, camera, mapStyle } = input;
    if (this.shownScene !== scene || this.gridVersion !== scene.gridVersion) {
      this.shownScene = scene;
      this.gridVersion = scene.gridVersion;
      this.atlas = new TileAtlas(scene.grid, scene.legend);
      this.tinted.clear();
      this.chunkImages.clear();
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
    if (detail === "far") for (const { chunk, cells } of chunks) this.paintLowDetail(input, chunk, cells);
    else {
      const width = frontierWidth(camera.zoom);
      for (const { chunk, cells } of chunks) emitGround(scene, mapStyle, chunk, cells, this.emit);
      for (const { chunk, cells } of chunks) emitHatches(scene, mapStyle, chunk, cells, this.emit);
      for (const { chunk, cells } of chunks) emitFrontiers(scene, mapStyle, chunk, cells, width, this.emit);
      for (const { chunk, cells } of chunks) emitMarks(scene, mapStyle, chunk, cells, detail, this.emit);
    }
    if (this.atlas !== null) addSprites(scene, mapStyle, this.atlas);
    emitPieces(scene, mapStyle, detail, input.where, this.emit);
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
    const cached = this.tinted.get(key);
    if (cached !== undefined) return cached;
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

  private paintLowDetail({ scene, mapStyle }: RenderInput, chunk: number, cells: ChunkCells): void {
    const wanted = stamp(scene, chunk, [scene.ownerLayer, mapStyle.shown.heat ?? mapStyle.ground]) + mapStyle.theme + String(mapStyle.focus);
    const size = lowDetailSize(scene, chunk);
    let cached = this.chunkImages.get(chunk);
    if (cached?.stamp !== wanted) {
      const canvas = cached?.canvas ?? document.createElement("canvas");
      canvas.width = size.width;
      canvas.height = size.height;
      const image = new ImageData(size.width, size.height);
      paintLowDetail(scene, mapStyle, chunk, cells, image);
      canvas.getContext("2d")?.putImageData(image, 0, 0);
      cached = { canvas, stamp: wanted };
      this.chunkImages.set(chunk, cached);
    }
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(cached.canvas, size.left, size.top, size.worldWidth, size.worldHeight);
    this.context.imageSmoothingEnabled = true;
  }
}
