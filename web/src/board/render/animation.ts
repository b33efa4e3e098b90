/** Animations between two frames: pieces glide, attacks are arcs, captures ripple, deaths fade. */

import { toCss } from "../../app/playerColours";
import type { ArgumentType, EventKind } from "../../api/types";
import type { Camera } from "../camera";
import type { Point } from "../geometry";
import type { MapStyle } from "./mapStyle";
import type { Change, Piece, Scene } from "../scene";

interface Effect {
  kind: "dot" | "arc" | "ripple" | "fade";
  from: Point;
  to: Point;
  colour: string;
}

const MOST_EFFECTS = 400;

export class Animations {
  private glides = new Map<number, Point>();
  private effects: Effect[] = [];
  private started = 0;
  private length = 0;

  get active(): boolean {
    return performance.now() < this.started + this.length;
  }

  /** Whether pieces are on their way. */
  get isMoving(): boolean {
    return this.glides.size > 0 && this.active;
  }

  /** Show a change that took place, for so many milliseconds. */
  start(change: Change, scene: Scene, mapStyle: MapStyle, length: number): void {
    this.stop();
    if (change.whole && change.events.length === 0) return;
    this.started = performance.now();
    this.length = length;
    for (const { piece, from } of change.moved) this.glides.set(piece.id, scene.grid.centre(from.column, from.row));
    for (const piece of change.gone) {
      const at = scene.grid.centre(piece.column, piece.row);
      this.effects.push({ kind: "fade", from: at, to: at, colour: toCss(mapStyle.playerColour(scene.sideOf(piece))) });
    }
    for (const [kind, values] of change.events.slice(0, MOST_EFFECTS)) {
      const event = scene.legend.events[kind];
      if (event?.motion) this.addEvent(event, values, scene, mapStyle);
    }
  }

  stop(): void {
    this.glides.clear();
    this.effects = [];
    this.length = 0;
  }

  where(piece: Piece, scene: Scene): Point {
    const to = scene.grid.centre(piece.column, piece.row);
    const from = this.glides.get(piece.id);
    if (from === undefined || !this.active) return to;
    const share = ease(this.progress);
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
  }

  draw(context: CanvasRenderingContext2D, camera: Camera): void {
    if (!this.active) return;
    const share = this.progress;
    for (const effect of this.effects) {
      const from = camera.toScreen(effect.from.x, effect.from.y);
      const to = camera.toScreen(effect.to.x, effect.to.y);
      if (to.x < -100 || to.y < -100 || to.x > camera.width + 100 || to.y > camera.height + 100) continue;
      context.globalAlpha = 1 - share;
      context.strokeStyle = context.fillStyle = effect.colour;
      DRAWN[effect.kind](context, from, to, share, camera.zoom);
    }
    context.globalAlpha = 1;
  }

  private get progress(): number {
    return this.length === 0 ? 1 : Math.min(1, (performance.now() - this.started) / this.length);
  }

  private addEvent(event: EventKind, values: readonly unknown[], scene: Scene, mapStyle: MapStyle): void {
    const cells: Point[] = [];
    const pieces: Piece[] = [];
    let player = -1;
    Object.values(event.args).forEach((type: ArgumentType, index) => {
      const value = values[index];
      if (type === "cell" && Array.isArray(value)) {
        const [column, row] = scene.grid.fromWritten(value as [number, number]);
        cells.push(scene.grid.centre(column, row));
      } else if (type === "piece" && typeof value === "number") {
        const piece = scene.pieces.get(value);
        if (piece !== undefined) pieces.push(piece);
      } else if (type === "player" && typeof value === "number" && player < 0) player = scene.side(value);
    });
    const [first, second] = pieces;
    if (player < 0 && first !== undefined) player = scene.sideOf(first);
    const stands = pieces.map((piece) => scene.grid.centre(piece.column, piece.row));
    const from = cells[0] ?? stands[0];
    const to = cells[1] ?? (event.motion === "arc" && second !== undefined ? stands[1] : undefined) ?? from;
    if (from === undefined || to === undefined) return;
    const colour = toCss(mapStyle.playerColour(player));
    if (event.motion === "glide") {
      if (pieces.length === 0 && from !== to) this.effects.push({ kind: "dot", from, to, colour });
    } else if (event.motion === "arc") this.effects.push({ kind: "arc", from: stands[0] ?? from, to, colour });
    else if (event.motion === "ripple") this.effects.push({ kind: "ripple", from: to, to, colour });
    else if (event.motion === "fade") this.effects.push({ kind: "fade", from: to, to, colour });
  }
}

type Drawer = (context: CanvasRenderingContext2D, from: Point, to: Point, share: number, zoom: number) => void;

const DRAWN: Record<Effect["kind"], Drawer> = {
  dot: (context, from, to, share, zoom) => {
    const at = ease(share);
    context.globalAlpha = 1;
    circle(context, from.x + (to.x - from.x) * at, from.y + (to.y - from.y) * at, Math.max(2, zoom * 0.16));
    context.fill();
  },
  arc: (context, from, to, share, zoom) => {
    if (Math.hypot(to.x - from.x, to.y - from.y) < 1) {
      DRAWN.ripple(context, from, to, share, zoom);
      return;
    }
    const bow = { x: (from.x + to.x) / 2 - (to.y - from.y) * 0.22, y: (from.y + to.y) / 2 + (to.x - from.x) * 0.22 };
    context.lineWidth = Math.max(1.5, zoom * 0.07);
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.quadraticCurveTo(bow.x, bow.y, to.x, to.y);
    context.stroke();
    circle(context, to.x, to.y, zoom * 0.25 * share);
    context.fill();
  },
  ripple: (context, _from, to, share, zoom) => {
    context.lineWidth = Math.max(1, zoom * 0.06);
    circle(context, to.x, to.y, zoom * (0.15 + 0.42 * share));
    context.stroke();
  },
  fade: (context, _from, to, share, zoom) => {
    const size = zoom * (0.3 - 0.1 * share);
    context.lineWidth = Math.max(1.5, zoom * 0.08);
    context.beginPath();
    context.moveTo(to.x - size, to.y - size);
    context.lineTo(to.x + size, to.y + size);
    context.moveTo(to.x + size, to.y - size);
    context.lineTo(to.x - size, to.y + size);
    context.stroke();
  },
};

function circle(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
}

function ease(share: number): number {
  return 1 - (1 - share) ** 3;
}
