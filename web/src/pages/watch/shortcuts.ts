/** What the keys do while a match is watched. */

import type { Theater } from "../../viewer/matchViewer.svelte";

/** What a page does by itself, beside what the theater does. */
export interface Deeds {
  zoom: (factor: number) => void;
  fit: () => void;
  minimap: () => void;
  grid: () => void;
  fold: () => void;
  fork: () => void;
  link: () => void;
  close: () => void;
  keys: () => void;
}

const NEARER = 1.25;
const FARTHER = 0.8;

/** Do what a key means; whether it meant something. */
export function pressed(event: KeyboardEvent, theater: Theater, deeds: Deeds): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target as Element;
  if (target.matches("input:not([type=range]):not([type=checkbox]), textarea, select")) return false;
  if (event.key === " " && target.matches("button, a, input, summary")) return false;
  const action = /^[1-9]$/.test(event.key) ? () => void theater.look(Number(event.key) - 1) : keysOf(theater, deeds, event.shiftKey ? 10 : 1)[event.key];
  action?.();
  return action !== undefined;
}

function keysOf(theater: Theater, deeds: Deeds, step: number): Record<string, () => void> {
  return {
    " ": () => theater.toggle(),
    ArrowLeft: () => void theater.step(-step),
    ArrowRight: () => void theater.step(step),
    "[": () => theater.faster(-1),
    "]": () => theater.faster(1),
    Home: () => {
      theater.pause();
      void theater.go(theater.first);
    },
    End: () => void theater.go(theater.last),
    "0": () => {
      if (theater.eyes !== null) void theater.look(theater.eyes);
    },
    "+": () => deeds.zoom(NEARER),
    "=": () => deeds.zoom(NEARER),
    "-": () => deeds.zoom(FARTHER),
    c: deeds.fit,
    m: deeds.minimap,
    g: deeds.grid,
    p: deeds.fold,
    f: deeds.fork,
    l: deeds.link,
    Escape: deeds.close,
    "?": deeds.keys,
  };
}
