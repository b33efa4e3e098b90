/** The tools and their keys: letters that no game's map spec uses. */

import type { KeyLine } from "../../ui/KeyList.svelte";

export type Tool = "draw" | "line" | "fill" | "pick";

export const TOOLS: { name: Tool; words: string; key: string; help: string }[] = [
  { name: "draw", words: "Draw", key: "q", help: "Drag to paint" },
  { name: "line", words: "Line", key: "l", help: "Drag from one end to the other" },
  { name: "fill", words: "Fill", key: "t", help: "Paint everything alike that touches" },
  { name: "pick", words: "Pick", key: "v", help: "Take up what lies on a cell; with Alt any tool does" },
];

/** The largest brush reaches so far from its middle. */
export const MOST_REACH = 3;

export const KEYS: KeyLine[] = [
  [["drag"], "paint; with the right button or two fingers, move the board"],
  [["Alt click"], "take up what lies there"],
  [["←", "→", "↑", "↓"], "move over cells; with Shift, painting"],
  [["Space", "Enter"], "paint the cell"],
  [["Del"], "erase the cell"],
  [["1", "…", "9"], "whose marks"],
  [["[", "]"], "smaller, larger brush"],
  [["Ctrl Z", "Ctrl Shift Z"], "undo, redo"],
  [["Ctrl S"], "save"],
  [["+", "−"], "zoom"],
  [["Home"], "the whole board"],
  [["?"], "this list"],
];
