/** What panels, dock and timeline leave free of the board. */

import type { Rect } from "../../board/geometry";

/** Screens up to this width show the panels over the board, on demand. */
export const PHONE = 720;
const PANEL = 304;
const BAR = 52;
const TIMELINE = 80;
/** On a phone the timeline has two lines, and is nearer to the edge. */
const PHONE_TIMELINE = 104;
const PHONE_DOCK = 86;
/** What a dock takes at least: the board does not move when the dock grows a little. */
const DOCK = 128;

/** Pixels that are covered at each edge; `docked` is the height of the dock, null where there is none. */
export function insetsOf(phone: boolean, folded: boolean, docked: number | null): Rect {
  if (phone) return { left: 0, top: BAR, right: 0, bottom: docked === null ? PHONE_TIMELINE : PHONE_DOCK + docked };
  const bottom = TIMELINE + (docked === null ? 0 : Math.max(DOCK, Math.min(docked, 2 * DOCK)));
  const side = folded ? 0 : PANEL;
  return { left: side, top: 0, right: side, bottom };
}
