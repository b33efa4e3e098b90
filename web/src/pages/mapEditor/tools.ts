/** The tools and their keys: letters that no game's map spec uses. */

import type { KeyLine } from "../../ui/KeyList.svelte";
import { words } from "../../i18n";

export type Tool = "draw" | "line" | "fill" | "pick";

export const TOOLS: { name: Tool; words: string; key: string; help: string }[] = [
  { name: "draw", words: words.mapEditor.draw, key: "q", help: words.mapEditor.dragToPaint },
  { name: "line", words: words.mapEditor.line, key: "l", help: words.mapEditor.dragFromOneEnd },
  { name: "fill", words: words.mapEditor.fill, key: "t", help: words.mapEditor.paintEverythingAlikeThat },
  { name: "pick", words: words.mapEditor.pick, key: "v", help: words.mapEditor.takeUpWhatLies },
];

/** The largest brush reaches so far from its middle. */
export const MOST_REACH = 3;

export const KEYS: KeyLine[] = [
  [[words.mapEditor.dragKey], words.mapEditor.keyPaint],
  [[words.mapEditor.altClick], words.mapEditor.takeUpWhatLiesThere],
  [["←", "→", "↑", "↓"], words.mapEditor.moveOverCellsWith],
  [["Space", "Enter"], words.mapEditor.paintTheCell],
  [["Del"], words.mapEditor.eraseTheCell],
  [["1", "…", "9"], words.mapEditor.keyWhose],
  [["[", "]"], words.mapEditor.smallerLargerBrush],
  [["Ctrl Z", "Ctrl Shift Z"], words.mapEditor.keyUndo],
  [["Ctrl S"], words.mapEditor.keySave],
  [["+", "−"], words.mapEditor.keyZoom],
  [["Home"], words.mapEditor.theWholeBoard],
  [["?"], words.mapEditor.keyList],
];
