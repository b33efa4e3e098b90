/** What lies above the board: figures, stacks, targets, the cell under the cursor, effects. */

import { toCss } from "../../app/playerColours";
import { compactNumber } from "../../app/format";
import type { Cell } from "../../api/types";
import type { Camera } from "../camera";
import type { Point } from "../geometry";
import type { MapStyle } from "./mapStyle";
import type { Animations } from "./animation";
import type { Scene } from "../scene";

/** Cells that stand out: targets of an order, a path, a range. */
export interface Highlight {
  cells: readonly Cell[];
  /** Never a player's: what can be picked must not look like land. */
  colour: string;
  /** Filled cells, the same as one area with a border around it, outlines, or a line from cell to cell. */
  style: "fill" | "area" | "outline" | "path";
  /** Broken lines, for what can be picked. */
  dashed?: boolean;
  /** A word at each cell, like a cost; for a path one word, at its last step. */
  labels?: readonly string[];
}

const DASHES = [6, 4];
/** Pixels of a cell from which on labels can be read. */
const LEGIBLE = 22;

export interface Above {
  hover: Cell | null;
  pinned: Cell | null;
  highlights: readonly Highlight[];
  font: string;
}

export function drawOverlay(
  context: CanvasRenderingContext2D,
  scene: Scene,
  mapStyle: MapStyle,
  camera: Camera,
  animations: Animations,
  above: Above,
): void {
  context.clearRect(0, 0, camera.width, camera.height);
  const halo = toCss(mapStyle.tones.outline);
  for (const highlight of above.highlights) drawHighlight(context, scene, camera, highlight, halo);
  if (camera.zoom >= LEGIBLE) for (const highlight of above.highlights) drawLabels(context, scene, camera, highlight, halo, above.font);
  if (camera.detail === "near") {
    if (mapStyle.shown.figures || mapStyle.shown.heat !== null) drawFigures(context, scene, mapStyle, camera, above.font);
    if (mapStyle.shown.pieces) drawStacks(context, scene, mapStyle, camera, above.font);
  }
  if (mapStyle.shown.motion) animations.draw(context, camera);
  if (above.pinned !== null) {
    outline(context, scene, camera, above.pinned, toCss(mapStyle.tones.outline), 5);
    outline(context, scene, camera, above.pinned, toCss(mapStyle.tones.ink), 2.5);
  }
  if (above.hover !== null && scene.has(...above.hover)) outline(context, scene, camera, above.hover, toCss(mapStyle.tones.ink), 1.5);
}

function trace(context: CanvasRenderingContext2D, scene: Scene, camera: Camera, [column, row]: Cell, shrink = 0): void {
  const centre = scene.grid.centre(column, row);
  context.beginPath();
  for (const corner of scene.grid.corners) {
    const at = camera.toScreen(centre.x + corner.x * (1 - shrink), centre.y + corner.y * (1 - shrink));
    context.lineTo(at.x, at.y);
  }
  context.closePath();
}

function outline(context: CanvasRenderingContext2D, scene: Scene, camera: Camera, cell: Cell, colour: string, width: number): void {
  trace(context, scene, camera, cell);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

function drawHighlight(context: CanvasRenderingContext2D, scene: Scene, camera: Camera, highlight: Highlight, halo: string): void {
  context.fillStyle = highlight.colour;
  context.lineJoin = context.lineCap = "round";
  if (highlight.style === "path") drawPath(context, scene, camera, highlight, halo);
  else if (highlight.style === "area") drawArea(context, scene, camera, highlight, halo);
  else
    for (const cell of highlight.cells) {
      trace(context, scene, camera, cell, 0.08);
      if (highlight.style === "fill") {
        context.globalAlpha = 0.12;
        context.fill();
        context.globalAlpha = 1;
      }
      strokeWithHalo(context, highlight, halo, 2);
    }
}

/** Stroke the current path over a wider line of another tone, so that it can be told from any ground. */
function strokeWithHalo(context: CanvasRenderingContext2D, { colour, dashed }: Highlight, halo: string, width: number): void {
  context.strokeStyle = halo;
  context.lineWidth = width + 3;
  context.stroke();
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.setLineDash(dashed === true ? DASHES : []);
  context.stroke();
  context.setLineDash([]);
}

function drawPath(context: CanvasRenderingContext2D, scene: Scene, camera: Camera, highlight: Highlight, halo: string): void {
  const points = highlight.cells.map(([column, row]) => {
    const centre = scene.grid.centre(column, row);
    return camera.toScreen(centre.x, centre.y);
  });
  context.beginPath();
  for (const at of points) context.lineTo(at.x, at.y);
  strokeWithHalo(context, highlight, halo, Math.min(5, Math.max(2, camera.zoom * 0.08)));
  const [from, to] = points.slice(-2);
  if (from !== undefined && to !== undefined) drawHead(context, from, to, Math.min(18, Math.max(5, camera.zoom * 0.24)), highlight.colour, halo);
}

/** Figures on plates, above all shapes: legible over land, glyphs and arrows. */
function drawLabels(context: CanvasRenderingContext2D, scene: Scene, camera: Camera, { cells, colour, style, labels = [] }: Highlight, halo: string, font: string): void {
  if (labels.length === 0) return;
  const size = Math.min(14, camera.zoom * 0.3);
  context.font = `600 ${size}px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const centres = cells.map((cell) => scene.grid.centre(...cell));
  const places = style === "path" ? [middleOf(centres.slice(-2))] : centres;
  places.forEach((centre, index) => {
    const label = labels[index] ?? "";
    if (label === "") return;
    const at = camera.toScreen(centre.x, centre.y);
    const wide = context.measureText(label).width + size * 0.7;
    context.fillStyle = halo;
    context.globalAlpha = 0.85;
    context.beginPath();
    context.roundRect(at.x - wide / 2, at.y - size * 0.7, wide, size * 1.4, size * 0.35);
    context.fill();
    context.globalAlpha = 1;
    context.fillStyle = colour;
    context.fillText(label, at.x, at.y + 0.5);
  });
}

function middleOf(points: readonly Point[]): Point {
  return { x: points.reduce((sum, { x }) => sum + x, 0) / points.length, y: points.reduce((sum, { y }) => sum + y, 0) / points.length };
}

/** The tip of an arrow. */
function drawHead(context: CanvasRenderingContext2D, from: Point, to: Point, size: number, colour: string, halo: string): void {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  context.beginPath();
  context.moveTo(to.x + Math.cos(angle) * size * 0.5, to.y + Math.sin(angle) * size * 0.5);
  for (const turn of [2.5, -2.5]) context.lineTo(to.x + Math.cos(angle + turn) * size, to.y + Math.sin(angle + turn) * size);
  context.closePath();
  context.strokeStyle = halo;
  context.lineWidth = 3;
  context.stroke();
  context.fillStyle = colour;
  context.fill();
}

function drawArea(context: CanvasRenderingContext2D, scene: Scene, camera: Camera, highlight: Highlight, halo: string): void {
  const { cells } = highlight;
  const inside = new Set(cells.map((cell) => cell.join()));
  const { corners } = scene.grid;
  context.globalAlpha = 0.1;
  for (const cell of cells) {
    trace(context, scene, camera, cell);
    context.fill();
  }
  context.globalAlpha = 1;
  context.beginPath();
  for (const [column, row] of cells) {
    const centre = scene.grid.centre(column, row);
    scene.grid.neighbours(column, row).forEach((beside, side) => {
      if (inside.has(beside.join())) return;
      const from = corners[side];
      const to = corners[(side + 1) % corners.length];
      if (from === undefined || to === undefined) return;
      const start = camera.toScreen(centre.x + from.x, centre.y + from.y);
      const end = camera.toScreen(centre.x + to.x, centre.y + to.y);
      context.moveTo(start.x, start.y);
      context.lineTo(end.x, end.y);
    });
  }
  strokeWithHalo(context, highlight, halo, 2);
}

function drawFigures(context: CanvasRenderingContext2D, scene: Scene, mapStyle: MapStyle, camera: Camera, font: string): void {
  const layer = mapStyle.shown.heat ?? mapStyle.figures.find((index) => (scene.layers[index]?.most ?? 0) > 5);
  if (layer === undefined) return;
  const taken = new Set<string>();
  for (const piece of scene.pieces.values()) taken.add(`${piece.column},${piece.row}`);
  const marked = [mapStyle.ground, ...mapStyle.marks];
  context.font = `600 ${Math.min(17, Math.max(9, camera.zoom * 0.26))}px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = toCss(mapStyle.tones.outline);
  context.fillStyle = toCss(mapStyle.tones.ink);
  for (const chunk of scene.grid.chunksIn(camera.view)) {
    const cells = scene.chunks.get(chunk);
    const values = cells?.layers[layer];
    if (cells === undefined || values === undefined) continue;
    for (let offset = 0; offset < values.length; offset++) {
      const value = values[offset] ?? 0;
      if (value === 0 || cells.present[offset] === 0) continue;
      const [column, row] = scene.grid.cell(chunk, offset);
      const centre = scene.grid.centre(column, row);
      const at = camera.toScreen(centre.x, centre.y);
      if (at.x < -40 || at.y < -40 || at.x > camera.width + 40 || at.y > camera.height + 40) continue;
      const filled = taken.has(`${column},${row}`) || marked.some((layer) => hasMark(mapStyle, layer, cells.layers[layer]?.[offset] ?? 0));
      const y = at.y + (filled ? camera.zoom * 0.34 : 0);
      context.globalAlpha = 0.75;
      context.strokeText(compactNumber(value), at.x, y);
      context.globalAlpha = 1;
      context.fillText(compactNumber(value), at.x, y);
    }
  }
}

function hasMark(mapStyle: MapStyle, layer: number, code: number): boolean {
  return code > 0 && mapStyle.shown.marks && (layer !== mapStyle.ground || mapStyle.hasGroundMark(code));
}

function drawStacks(context: CanvasRenderingContext2D, scene: Scene, mapStyle: MapStyle, camera: Camera, font: string): void {
  const counts = new Map<string, { column: number; row: number; count: number }>();
  for (const { column, row } of scene.pieces.values()) {
    const key = `${column},${row}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { column, row, count: 1 });
    else known.count++;
  }
  context.font = `700 ${Math.min(15, camera.zoom * 0.24)}px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const { column, row, count } of counts.values()) {
    if (count < 2) continue;
    const centre = scene.grid.centre(column, row);
    const at = camera.toScreen(centre.x + 0.3, centre.y - 0.3);
    context.fillStyle = toCss(mapStyle.tones.ink);
    context.beginPath();
    context.arc(at.x, at.y, camera.zoom * 0.16, 0, 7);
    context.fill();
    context.fillStyle = toCss(mapStyle.tones.outline);
    context.fillText(String(count), at.x, at.y + 0.5);
  }
}
