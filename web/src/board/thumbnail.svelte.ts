/** A small board without input: it fits its frame, and is painted when something has changed. */

import { appearance } from "../app/theme.svelte";
import { Camera } from "./camera";
import { Canvas2dRenderer } from "./render/canvas2dRenderer";
import { ALL_SHOWN, MapStyle } from "./render/mapStyle";
import type { Scene } from "./scene";

const EDGE = 8;

export class Thumbnail {
  scene: Scene | null = null;
  private mapStyle: MapStyle | null = null;
  /** A number layer to be shown as heat, or null. */
  private heat: number | null = null;
  private readonly renderer: Canvas2dRenderer;
  private readonly camera = new Camera();
  private readonly sizes: ResizeObserver;
  private readonly watcher: IntersectionObserver;
  private readonly themes: () => void;
  private pending = 0;
  private destroyed = false;

  /** `seen` is called once, when the board first comes into view. */
  constructor(
    private readonly host: HTMLElement,
    seen: () => void,
  ) {
    this.renderer = new Canvas2dRenderer(host);
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

  show(scene: Scene, heat: number | null = null): void {
    if (this.scene !== scene) this.mapStyle = null;
    this.scene = scene;
    this.heat = heat;
    this.request();
  }

  request(): void {
    if (this.pending === 0 && !this.destroyed) this.pending = requestAnimationFrame(() => this.paint());
  }

  destroy(): void {
    this.destroyed = true;
    this.themes();
    this.watcher.disconnect();
    this.sizes.disconnect();
    cancelAnimationFrame(this.pending);
    this.renderer.destroy();
  }

  private paint(): void {
    this.pending = 0;
    const { host, scene, camera } = this;
    if (scene === null || host.clientWidth === 0) return;
    if (this.mapStyle?.theme !== appearance.theme) this.mapStyle = new MapStyle(scene.legend, { ...ALL_SHOWN, figures: false, grid: false, heat: this.heat }, appearance.theme);
    camera.width = host.clientWidth;
    camera.height = host.clientHeight;
    this.renderer.resize(camera.width, camera.height, Math.min(2, devicePixelRatio || 1));
    camera.fit(scene.grid.bounds, { left: EDGE, top: EDGE, right: camera.width - EDGE, bottom: camera.height - EDGE });
    this.renderer.render({ scene, mapStyle: this.mapStyle, camera, where: (piece) => scene.grid.centre(piece.column, piece.row), moving: false });
  }
}
