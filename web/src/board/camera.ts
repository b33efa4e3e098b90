/** What part of the world the screen shows. */

import type { Point, Rect } from "./geometry";

export const LEAST_ZOOM = 0.5;
export const MOST_ZOOM = 96;

/** Three levels of detail, by the width of a cell in pixels. */
export type Detail = "far" | "middle" | "near";

export class Camera {
  /** The world's point in the middle of the screen. */
  x = 0;
  y = 0;
  /** Pixels a cell. */
  zoom = 16;
  width = 1;
  height = 1;

  get detail(): Detail {
    return this.zoom < 5 ? "far" : this.zoom < 30 ? "middle" : "near";
  }

  get view(): Rect {
    const half = { x: this.width / 2 / this.zoom, y: this.height / 2 / this.zoom };
    return { left: this.x - half.x, right: this.x + half.x, top: this.y - half.y, bottom: this.y + half.y };
  }

  toScreen(x: number, y: number): Point {
    return { x: (x - this.x) * this.zoom + this.width / 2, y: (y - this.y) * this.zoom + this.height / 2 };
  }

  toWorld(x: number, y: number): Point {
    return { x: (x - this.width / 2) / this.zoom + this.x, y: (y - this.height / 2) / this.zoom + this.y };
  }

  pan(right: number, down: number): void {
    this.x -= right / this.zoom;
    this.y -= down / this.zoom;
  }

  /** Zoom so that the point under the cursor stays there. */
  zoomAt(screenX: number, screenY: number, factor: number): void {
    const before = this.toWorld(screenX, screenY);
    this.zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, this.zoom * factor));
    const after = this.toWorld(screenX, screenY);
    this.x += before.x - after.x;
    this.y += before.y - after.y;
  }

  /** Show all of `bounds` in what panels leave free of the screen. */
  fit(bounds: Rect, free: Rect): void {
    this.zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoomFor(bounds, free) * 0.96));
    const aside = { x: (free.left + free.right - this.width) / 2, y: (free.top + free.bottom - this.height) / 2 };
    this.x = (bounds.left + bounds.right) / 2 - aside.x / this.zoom;
    this.y = (bounds.top + bounds.bottom) / 2 - aside.y / this.zoom;
  }

  /** Keep some of the board on the screen. */
  clamp(bounds: Rect): void {
    this.x = Math.min(bounds.right, Math.max(bounds.left, this.x));
    this.y = Math.min(bounds.bottom, Math.max(bounds.top, this.y));
  }
}

/** Pixels a cell with which all of `bounds` has room in a part of the screen. */
export function zoomFor(bounds: Rect, free: Rect): number {
  const width = Math.max(1, free.right - free.left);
  const height = Math.max(1, free.bottom - free.top);
  return Math.min(width / (bounds.right - bounds.left), height / (bounds.bottom - bounds.top));
}
