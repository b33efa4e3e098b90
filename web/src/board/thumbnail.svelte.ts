/** A board in small that nobody touches: it fits its frame, and is painted when something has changed. */

import { appearance, type Theme } from "../app/theme.svelte";
import { Camera } from "./camera";
import { CanvasPainter } from "./render/canvas2dRenderer";
import type { Look } from "./render/mapStyle";
import type { Scene } from "./scene";

const EDGE = 8;

export class Miniature {
  scene: Scene | null = null;
  private look: Look | null = null;
  private readonly painter: CanvasPainter;
  private readonly camera = new Camera();
  private readonly sizes: ResizeObserver;
  private readonly watcher: IntersectionObserver;
  private readonly themes: () => void;
  private pending = 0;
  private gone = false;

  /** `seen` is called once, when the board first comes into view. */
  constructor(
    private readonly host: HTMLElement,
    private readonly lookOf: (scene: Scene, theme: Theme) => Look,
    seen: () => void,
  ) {
    this.painter = new CanvasPainter(host);
    this.sizes = new ResizeObserver(() => this.request());
    this.sizes.observe(host);
    this.watcher = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      this.watcher.disconnect();
      seen();
    });
    this.watcher.observe(host);
    this.themes = $effect.root(() => {
      $effect(() => {
        void appearance.theme;
        this.request();
      });
    });
  }

  show(scene: Scene): void {
    if (this.scene !== scene) this.look = null;
    this.scene = scene;
    this.request();
  }

  request(): void {
    if (this.pending === 0 && !this.gone) this.pending = requestAnimationFrame(() => this.paint());
  }

  destroy(): void {
    this.gone = true;
    this.themes();
    this.watcher.disconnect();
    this.sizes.disconnect();
    cancelAnimationFrame(this.pending);
    this.painter.destroy();
  }

  private paint(): void {
    this.pending = 0;
    const { host, scene, camera } = this;
    if (scene === null || host.clientWidth === 0) return;
    if (this.look?.theme !== appearance.theme) this.look = this.lookOf(scene, appearance.theme);
    camera.width = host.clientWidth;
    camera.height = host.clientHeight;
    this.painter.resize(camera.width, camera.height, Math.min(2, devicePixelRatio || 1));
    camera.fit(scene.grid.bounds, { left: EDGE, top: EDGE, right: camera.width - EDGE, bottom: camera.height - EDGE });
    this.painter.paint({ scene, look: this.look, camera, where: (piece) => scene.grid.centre(piece.column, piece.row), moving: false });
  }
}
