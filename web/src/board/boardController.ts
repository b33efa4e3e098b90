/** The board on the screen: draws when something has changed, and reports input as events. */

import type { Cell } from "../api/types";
import { Camera, zoomFor } from "./camera";
import type { Rect } from "./geometry";
import type { MapStyle } from "./render/mapStyle";
import { Minimap } from "./render/minimap";
import { Animations } from "./render/animation";
import { drawOverlay, type Highlight } from "./render/overlay";
import { createRenderer, type Renderer } from "./render/renderer";
import type { Change, Scene } from "./scene";

/** Boards of up to so many chunks are held as a whole. */
export const SMALL_BOARD = 12;
/** Cells around the screen that are held, too, so that a short pan finds them there. */
const AROUND = 6;
const DRAG = 4;
/** Milliseconds between two pictures of effects; pieces glide in every frame. */
const EFFECT_INTERVAL = 28;

export interface BoardEvents {
  hover?: (cell: Cell | null, x: number, y: number) => void;
  /** A cell was clicked; true if the click was a part of an order, so that a double click does not move the board. */
  pick?: (cell: Cell | null) => boolean | void;
  /** Which chunks are in view; null for all of a small board. */
  view?: (chunks: Set<number> | null) => void;
  /** The camera has moved, by hand or otherwise. */
  camera?: (camera: Camera) => void;
  /** A line is drawn over cells: with it the left button draws and the others pan. */
  stroke?: (phase: "begin" | "move" | "end" | "cancel", cell: Cell | null, event: PointerEvent) => void;
}

export class BoardController {
  readonly camera = new Camera();
  readonly animations = new Animations();
  renderer: Renderer | null = null;
  scene: Scene | null = null;
  mapStyle: MapStyle | null = null;
  hover: Cell | null = null;
  pinned: Cell | null = null;
  highlights: readonly Highlight[] = [];
  /** What panels leave free of the screen. */
  free: Rect = { left: 0, top: 0, right: 0, bottom: 0 };
  /** What is covered at the top right of that. */
  corner = { width: 0, height: 0 };
  minimap: Minimap | null = null;

  private readonly context: CanvasRenderingContext2D | null;
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private readonly watcher: ResizeObserver;
  private readonly ending = new AbortController();
  private pending = 0;
  private dragged = 0;
  private fitted = false;
  private lastView = "";
  private wasMoving = false;
  /** Whether more than effects of an animation has changed since the last frame. */
  private stale = true;
  private effectTimer: ReturnType<typeof setTimeout> | undefined;
  private drawing: number | null = null;
  /** Whether the last click was a part of an order. */
  private ordered = false;
  /** What the page's styles say; to read them makes the browser compute all of them. */
  private style = { theme: "", accent: "", font: "" };

  constructor(
    private readonly host: HTMLElement,
    private readonly overlay: HTMLCanvasElement,
    private readonly events: BoardEvents,
    kind: "webgl" | "canvas" | null,
  ) {
    this.context = overlay.getContext("2d");
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(host);
    this.listen();
    void createRenderer(host, kind).then((renderer) => {
      if (this.ending.signal.aborted) {
        renderer.destroy();
        return;
      }
      this.renderer = renderer;
      host.dataset["renderer"] = renderer.kind;
      host.append(overlay);
      this.resize();
    });
  }

  show(scene: Scene | null, mapStyle: MapStyle | null): void {
    if (this.scene !== scene) this.animations.stop();
    this.scene = scene;
    this.mapStyle = mapStyle;
    this.request();
  }

  /** Animate a change. */
  animate(change: Change, length: number): void {
    if (this.scene === null || this.mapStyle === null || !this.mapStyle.shown.motion || length < 60) this.animations.stop();
    else this.animations.start(change, this.scene, this.mapStyle, length);
    this.request();
  }

  /** Show the whole board. */
  fit(): void {
    if (this.scene === null) return;
    const { width, height } = this.camera;
    const { bounds } = this.scene.grid;
    const { left, top, right, bottom } = this.free;
    const free = { left, top, right: width - right, bottom: height - bottom };
    const beside = { ...free, right: free.right - this.corner.width };
    const below = { ...free, top: free.top + this.corner.height };
    this.camera.fit(bounds, free);
    const edge = this.camera.toScreen(bounds.right, bounds.top);
    if (edge.x > beside.right && edge.y < below.top) this.camera.fit(bounds, zoomFor(bounds, beside) > zoomFor(bounds, below) ? beside : below);
    this.fitted = true;
    this.handleCameraMove();
  }

  /** Look at a point of the world, from some distance. */
  lookAt(x: number, y: number, zoom = this.camera.zoom): void {
    Object.assign(this.camera, { x, y, zoom });
    this.fitted = true;
    this.handleCameraMove();
  }

  zoomBy(factor: number): void {
    this.camera.zoomAt(this.camera.width / 2, this.camera.height / 2, factor);
    this.handleCameraMove();
  }

  /** Draw everything in the next frame. */
  request(): void {
    this.stale = true;
    this.schedule();
  }

  private schedule(): void {
    if (this.pending === 0) this.pending = requestAnimationFrame(() => this.draw());
  }

  destroy(): void {
    this.ending.abort();
    cancelAnimationFrame(this.pending);
    clearTimeout(this.effectTimer);
    this.watcher.disconnect();
    this.renderer?.destroy();
    this.renderer = null;
  }

  /** Move the cell cursor by keyboard. */
  step(right: number, down: number): void {
    if (this.scene === null) return;
    const [column, row] = this.hover ?? this.pinned ?? this.scene.grid.at(this.camera.x, this.camera.y);
    const next: Cell = this.hover === null ? [column, row] : [column + right, row + down];
    if (this.scene.has(...next)) this.point(next);
  }

  /** Put the cell cursor somewhere. */
  point(cell: Cell): void {
    if (this.scene === null) return;
    this.hover = cell;
    this.reveal(cell);
    const centre = this.scene.grid.centre(...cell);
    const at = this.camera.toScreen(centre.x, centre.y);
    this.events.hover?.(cell, at.x, at.y);
    this.request();
  }

  /** Move a cell into view if panels cover it or the screen does not show it, or if cells should be larger than they are. */
  reveal(cell: Cell, zoom = 0): void {
    if (this.scene === null) return;
    const centre = this.scene.grid.centre(...cell);
    const at = this.camera.toScreen(centre.x, centre.y);
    const { left, top, right, bottom } = this.free;
    const hidden = at.x < left || at.y < top || at.x > this.camera.width - right || at.y > this.camera.height - bottom;
    const near = Math.max(this.camera.zoom, zoom);
    if (hidden || near > this.camera.zoom) this.lookAt(centre.x + (right - left) / 2 / near, centre.y + (bottom - top) / 2 / near, near);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    const ratio = Math.min(2, devicePixelRatio || 1);
    this.camera.width = width;
    this.camera.height = height;
    this.overlay.width = Math.round(width * ratio);
    this.overlay.height = Math.round(height * ratio);
    this.overlay.style.width = `${width}px`;
    this.overlay.style.height = `${height}px`;
    this.context?.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.renderer?.resize(width, height, ratio);
    this.handleCameraMove();
  }

  private handleCameraMove(): void {
    if (this.scene !== null) this.camera.clamp(this.scene.grid.bounds);
    this.events.camera?.(this.camera);
    this.request();
  }

  private draw(): void {
    this.pending = 0;
    clearTimeout(this.effectTimer);
    const { scene, mapStyle, renderer, context, camera } = this;
    if (scene === null || mapStyle === null || renderer === null || camera.width <= 1) return;
    const { stale } = this;
    const animating = this.animations.active;
    const moving = this.animations.isMoving;
    if (!this.fitted) this.fit();
    if (stale) this.reportView();
    if (stale || moving || this.wasMoving)
      renderer.render({
        scene,
        mapStyle,
        camera,
        where: (piece) => this.animations.where(piece, scene),
        moving: moving || this.wasMoving,
      });
    this.stale = false;
    this.wasMoving = moving;
    if (this.style.theme !== mapStyle.theme) {
      const style = getComputedStyle(this.host);
      this.style = { theme: mapStyle.theme, accent: style.getPropertyValue("--accent"), font: style.fontFamily };
    }
    if (context !== null)
      drawOverlay(context, scene, mapStyle, camera, this.animations, {
        hover: this.hover,
        pinned: this.pinned,
        highlights: this.highlights,
        font: this.style.font,
      });
    if (stale) this.minimap?.draw(scene, mapStyle, camera, this.style.accent);
    if (moving) this.schedule();
    else if (animating) this.effectTimer = setTimeout(() => this.draw(), EFFECT_INTERVAL);
  }

  private reportView(): void {
    if (this.scene === null) return;
    const { grid } = this.scene;
    const { left, top, right, bottom } = this.camera.view;
    const around = { left: left - AROUND, top: top - AROUND, right: right + AROUND, bottom: bottom + AROUND };
    const chunks = grid.chunkCount <= SMALL_BOARD ? null : grid.chunksIn(around);
    const name = `${this.scene.gridVersion}:${chunks === null ? "all" : [...chunks].sort().join()}`;
    if (name === this.lastView) return;
    this.lastView = name;
    this.events.view?.(chunks === null ? null : new Set(chunks));
  }

  private listen(): void {
    const { host } = this;
    const options = { signal: this.ending.signal };
    host.addEventListener("pointerdown", (event) => this.handlePointerDown(event), options);
    host.addEventListener("pointermove", (event) => this.handlePointerMove(event), options);
    host.addEventListener("pointerup", (event) => this.handlePointerUp(event), options);
    host.addEventListener("pointercancel", (event) => this.handlePointerCancel(event), options);
    host.addEventListener("contextmenu", (event) => this.events.stroke !== undefined && event.preventDefault(), options);
    host.addEventListener("pointerleave", () => this.setHover(null, 0, 0), options);
    host.addEventListener("mousedown", (event) => event.preventDefault(), options); // a click gives no focus: arrows stay the timeline's
    host.addEventListener("dblclick", (event) => this.centreOn(event), options);
    host.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const { x, y } = this.local(event);
        this.camera.zoomAt(x, y, Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016)));
        this.handleCameraMove();
      },
      { ...options, passive: false },
    );
  }

  private local(event: MouseEvent): { x: number; y: number } {
    const box = this.host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private cellAt(x: number, y: number): Cell | null {
    if (this.scene === null) return null;
    const at = this.camera.toWorld(x, y);
    const cell = this.scene.grid.at(at.x, at.y);
    return this.scene.has(...cell) ? cell : null;
  }

  private handlePointerDown(event: PointerEvent): void {
    const { stroke } = this.events;
    if ((event.button !== 0 && stroke === undefined) || (event.target as Element).closest("button, a, input, canvas.minimap") !== null) return;
    this.host.setPointerCapture(event.pointerId);
    const at = this.local(event);
    this.fingers.set(event.pointerId, at);
    if (this.fingers.size === 1) this.dragged = 0;
    if (this.drawing !== null) this.stopDrawing("cancel", event); // a second finger: both move the board
    else if (stroke !== undefined && event.button === 0 && this.fingers.size === 1) {
      this.drawing = event.pointerId;
      stroke("begin", this.cellAt(at.x, at.y), event);
    }
  }

  private stopDrawing(how: "end" | "cancel", event: PointerEvent): void {
    const { x, y } = this.local(event);
    this.drawing = null;
    this.events.stroke?.(how, this.cellAt(x, y), event);
  }

  private handlePointerCancel(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    if (this.drawing === event.pointerId) this.stopDrawing("cancel", event);
  }

  private handlePointerMove(event: PointerEvent): void {
    const now = this.local(event);
    const before = this.fingers.get(event.pointerId);
    if (this.drawing === event.pointerId) {
      const cell = this.cellAt(now.x, now.y);
      this.fingers.set(event.pointerId, now);
      this.setHover(cell, now.x, now.y);
      this.events.stroke?.("move", cell, event);
      return;
    }
    if (before === undefined) {
      this.setHover(this.cellAt(now.x, now.y), now.x, now.y);
      return;
    }
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    const [other] = others;
    this.dragged += Math.hypot(now.x - before.x, now.y - before.y);
    if (other !== undefined) {
      const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
      this.camera.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
      this.camera.zoomAt((now.x + other.x) / 2, (now.y + other.y) / 2, factor);
    } else if (this.dragged >= DRAG) this.camera.pan(now.x - before.x, now.y - before.y);
    this.fingers.set(event.pointerId, now);
    if (this.dragged >= DRAG) {
      this.setHover(null, 0, 0);
      this.handleCameraMove();
    }
  }

  private handlePointerUp(event: PointerEvent): void {
    if (!this.fingers.delete(event.pointerId)) return;
    if (this.drawing === event.pointerId) {
      this.stopDrawing("end", event);
      return;
    }
    if (this.dragged >= DRAG) return;
    const { x, y } = this.local(event);
    this.ordered = this.events.pick?.(this.cellAt(x, y)) === true;
  }

  private centreOn(event: MouseEvent): void {
    if (this.events.stroke !== undefined || this.ordered) return;
    const { x, y } = this.local(event);
    const at = this.camera.toWorld(x, y);
    this.lookAt(at.x, at.y);
  }

  private setHover(cell: Cell | null, x: number, y: number): void {
    const same = cell?.[0] === this.hover?.[0] && cell?.[1] === this.hover?.[1];
    this.hover = cell;
    this.events.hover?.(cell, x, y);
    if (!same) this.request();
  }
}
