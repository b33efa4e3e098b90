/** Keyboard shortcuts of the match screen. */

import type { MatchViewer } from "../../viewer/matchViewer.svelte";

/** Actions of the page; the others are the viewer's. */
export interface ShortcutActions {
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

/** Run the shortcut of a key; true if it has one. */
export function handleShortcut(event: KeyboardEvent, viewer: MatchViewer, actions: ShortcutActions): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target as Element;
  if (target.matches("input:not([type=range]):not([type=checkbox]), textarea, select")) return false;
  if (event.key === " " && target.matches("button, a, input, summary")) return false;
  const action = /^[1-9]$/.test(event.key) ? () => void viewer.playback.setViewpoint(Number(event.key) - 1) : keysOf(viewer, actions, event.shiftKey ? 10 : 1)[event.key];
  action?.();
  return action !== undefined;
}

function keysOf(viewer: MatchViewer, actions: ShortcutActions, step: number): Record<string, () => void> {
  return {
    " ": () => viewer.playback.toggle(),
    ArrowLeft: () => void viewer.playback.step(-step),
    ArrowRight: () => void viewer.playback.step(step),
    "[": () => viewer.playback.changeSpeed(-1),
    "]": () => viewer.playback.changeSpeed(1),
    Home: () => {
      viewer.playback.pause();
      void viewer.playback.go(viewer.view.first);
    },
    End: () => void viewer.playback.go(viewer.view.last),
    "0": () => {
      if (viewer.view.viewpoint !== null) void viewer.playback.setViewpoint(viewer.view.viewpoint);
    },
    "+": () => actions.zoom(NEARER),
    "=": () => actions.zoom(NEARER),
    "-": () => actions.zoom(FARTHER),
    c: actions.fit,
    m: actions.minimap,
    g: actions.grid,
    p: actions.fold,
    f: actions.fork,
    l: actions.link,
    Escape: actions.close,
    "?": actions.keys,
  };
}
