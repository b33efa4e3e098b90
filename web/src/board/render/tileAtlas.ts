/** One picture that holds every tile the board is made of, in white, so that renderers only tint and place them. */

import type { Legend } from "../../api/types";
import type { ItemPicture } from "../../app/itemPictures.svelte";
import { glyphPath, knownGlyphPath } from "./glyphs";
import type { Grid } from "../geometry";
import { glyphOf, type Texture } from "./mapStyle";

/** Pixels of a tile, its margin, and tiles in a row. */
export const TILE = 64;
const MARGIN = 4;
const PITCH = TILE + 2 * MARGIN;
const ACROSS = 14;
export const RINGS = 16;

type Context = CanvasRenderingContext2D;

/** The tile of what a code of a layer stands for. */
export function markTile(layer: number, code: number): string {
  return `mark ${layer}.${code}`;
}

/** The tile of an item's picture. */
export function spriteTile(template: number): string {
  return `sprite ${template}`;
}

export class TileAtlas {
  readonly canvas = document.createElement("canvas");
  readonly places = new Map<string, { x: number; y: number }>();
  private readonly context: Context;

  constructor(private readonly grid: Grid, private readonly legend: Legend) {
    this.canvas.width = ACROSS * PITCH;
    this.canvas.height = this.canvas.width;
    const context = this.canvas.getContext("2d");
    if (context === null) throw new Error("This browser cannot draw.");
    this.context = context;
    this.drawCells();
    this.drawLand();
    this.drawGlyphs();
    this.add("line", (context) => context.fillRect(-TILE, -TILE, 2 * TILE, 2 * TILE)); // into the margin, so that its edges stay sharp
    this.add("pip", (context) => disc(context, 24));
    this.add("dot", (context) => disc(context, 20));
    for (let step = 0; step <= RINGS; step++) this.add(`ring ${step}`, (context) => ring(context, step / RINGS));
  }

  /** Add the picture of an item, once; false if it has been added before or there is no room. */
  addSprite(template: number, { path, image }: ItemPicture): boolean {
    const name = spriteTile(template);
    if (this.places.has(name) || this.places.size + 2 > ACROSS ** 2) return false;
    if (path !== null) this.addGlyph(name, path);
    else if (image !== null) {
      const scale = TILE / Math.max(image.naturalWidth, image.naturalHeight);
      const [width, height] = [image.naturalWidth * scale, image.naturalHeight * scale];
      this.add(name, (context) => context.drawImage(image, -width / 2, -height / 2, width, height));
    }
    return true;
  }

  place(tile: string): { x: number; y: number } {
    return this.places.get(tile) ?? this.places.get("dot") ?? { x: 0, y: 0 };
  }

  private add(name: string, draw: (context: Context) => void): void {
    const number = this.places.size;
    const x = (number % ACROSS) * PITCH + MARGIN;
    const y = Math.floor(number / ACROSS) * PITCH + MARGIN;
    this.places.set(name, { x, y });
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(x - MARGIN / 2, y - MARGIN / 2, TILE + MARGIN, TILE + MARGIN);
    context.clip();
    context.translate(x + TILE / 2, y + TILE / 2);
    context.fillStyle = context.strokeStyle = "#fff";
    draw(context);
    context.restore();
  }

  /** A cell's outline, made smaller or larger by some pixels. A hex is as wide as a tile and a little higher. */
  private outline(context: Context, shrink: number): void {
    const scale = TILE - 2 * shrink;
    const flat = this.grid.hex ? Math.sqrt(3) / 2 : 1;
    context.beginPath();
    for (const corner of this.grid.corners) context.lineTo(corner.x * scale, corner.y * scale * flat);
    context.closePath();
  }

  private drawCells(): void {
    const textures: Texture[] = ["plain", "rough", "dots", "waves", "specks", "mist"];
    for (const texture of textures)
      for (const gap of [true, false])
        this.add(`${texture}${gap ? " grid" : ""}`, (context) => {
          this.outline(context, gap && texture !== "mist" ? 1.4 : -0.8);
          context.fill();
          context.clip();
          TEXTURES[texture](context);
        });
  }

  private drawLand(): void {
    for (let hatch = 0; hatch < 4; hatch++)
      this.add(`land ${hatch}`, (context) => {
        this.outline(context, 0.3);
        context.clip();
        if (hatch === 0) context.fillRect(-TILE, -TILE, 2 * TILE, 2 * TILE);
        stripes(context, hatch);
      });
  }

  private drawGlyphs(): void {
    this.legend.kinds.forEach((kind, number) => this.addGlyph(`piece ${number}`, glyphPath(kind.glyph, number)));
    this.legend.layers.forEach((layer, index) => {
      if (layer.type !== "code") return;
      layer.palette?.forEach((word, code) => {
        if (code === 0 || code === layer.hidden_code) return;
        const path = knownGlyphPath(glyphOf(layer, code));
        if (path !== null) this.addGlyph(markTile(index, code), path);
        else
          this.add(markTile(index, code), (context) => {
            context.font = `600 ${TILE * 0.7}px "Inter Variable", sans-serif`;
            context.textAlign = "center";
            context.textBaseline = "middle";
            context.fillText(word.charAt(0).toUpperCase(), 0, 2);
          });
      });
    });
  }

  private addGlyph(name: string, path: string): void {
    const shape = new Path2D(path);
    this.add(name, (context) => {
      context.scale((TILE - 10) / 24, (TILE - 10) / 24);
      context.translate(-12, -12);
      context.fill(shape, "evenodd");
    });
    this.add(`${name} edge`, (context) => {
      context.scale((TILE - 10) / 24, (TILE - 10) / 24);
      context.translate(-12, -12);
      context.lineWidth = 3.4;
      context.lineJoin = "round";
      context.stroke(shape);
      context.fill(shape);
    });
  }
}

const TEXTURES: Record<Texture, (context: Context) => void> = {
  plain: () => undefined,
  rough: (context) => {
    context.fillStyle = "rgb(0 0 0 / 0.22)";
    for (const [x, y, size] of [[-16, -12, 13], [10, -16, 10], [14, 10, 14], [-10, 14, 11], [0, -1, 8]] as const) {
      context.beginPath();
      context.moveTo(x - size, y + size * 0.6);
      context.lineTo(x - size * 0.2, y - size * 0.8);
      context.lineTo(x + size, y + size * 0.6);
      context.fill();
    }
  },
  dots: (context) => scatter(context, 11, 2.6, "rgb(0 0 0 / 0.2)"),
  specks: (context) => scatter(context, 9, 3.6, "rgb(0 0 0 / 0.18)"),
  waves: (context) => {
    context.strokeStyle = "rgb(0 0 0 / 0.2)";
    context.lineWidth = 2.5;
    for (let y = -28; y <= 28; y += 14) {
      context.beginPath();
      for (let x = -34; x <= 34; x += 2) context.lineTo(x, y + 3 * Math.sin(x / 5 + y));
      context.stroke();
    }
  },
  mist: (context) => {
    context.strokeStyle = "rgb(0 0 0 / 0.16)";
    context.lineWidth = 4;
    for (let x = -96; x <= 96; x += 16) {
      context.beginPath();
      context.moveTo(x - 40, 40);
      context.lineTo(x + 40, -40);
      context.stroke();
    }
  },
};

/** Spread points evenly without a visible pattern (golden angle). */
function scatter(context: Context, count: number, size: number, colour: string): void {
  context.fillStyle = colour;
  for (let number = 0; number < count; number++) {
    const angle = number * 2.39996;
    const radius = 26 * Math.sqrt((number + 0.5) / count);
    context.beginPath();
    context.arc(radius * Math.cos(angle), radius * Math.sin(angle), size * (0.7 + (number % 3) * 0.3), 0, 7);
    context.fill();
  }
}

function stripes(context: Context, hatch: number): void {
  if (hatch === 0) return;
  context.lineWidth = 7;
  const line = (x: number, slope: number): void => {
    context.beginPath();
    context.moveTo(x - 40 * slope, 40);
    context.lineTo(x + 40 * slope, -40);
    context.stroke();
  };
  for (let x = -96; x <= 96; x += 21.3) {
    if (hatch === 1 || hatch === 3) line(x, 1);
    if (hatch === 2 || hatch === 3) line(x, -1);
  }
}

function disc(context: Context, radius: number): void {
  context.beginPath();
  context.arc(0, 0, radius, 0, 7);
  context.fill();
}

function ring(context: Context, share: number): void {
  context.lineWidth = 5;
  context.beginPath();
  context.arc(0, 0, 28, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * share);
  context.stroke();
}
