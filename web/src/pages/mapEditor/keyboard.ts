/** The keyboard of the map editor. */

import { ARROWS } from "../../board/directions";
import { TOOLS, type Tool } from "./tools";

export interface KeyActions {
  step: (right: number, down: number, painting: boolean) => void;
  paint: () => void;
  erase: () => void;
  cancel: () => void;
  undo: () => void;
  redo: () => void;
  save: () => void;
  size: (more: number) => void;
  zoom: (factor: number) => void;
  fit: () => void;
  help: () => void;
  owner: (number: number) => void;
  /** Select the brush of a letter; false if it has none. */
  letter: (letter: string) => boolean;
  tool: (name: Tool) => void;
}

const ZOOM = 1.25;

/** Handle a key, unless a text field has the focus or a dialog is open. */
export function handleKey(event: KeyboardEvent, act: KeyActions): void {
  const target = event.target as HTMLElement | null;
  if (document.querySelector("dialog[open]") !== null) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    if (key === "z" && !isText(target)) (event.shiftKey ? act.redo : act.undo)();
    else if (key === "y" && !isText(target)) act.redo();
    else if (key === "s") act.save();
    else return;
    consume(event);
    return;
  }
  if (key === "Escape" && target?.closest("input, select, textarea") !== null) target?.blur(); // the keys are the board's again
  if (event.altKey || target?.closest("input, select, textarea") !== null) return;
  const step = ARROWS[key];
  if (step !== undefined) act.step(...step, event.shiftKey);
  else if (key === " " || key === "Enter") {
    if (target?.closest("button, a, label") !== null) return; // they have their own use for it
    act.paint();
  } else if (key === "Delete" || key === "Backspace") act.erase();
  else if (key === "Escape") act.cancel();
  else if (key === "[" || key === "]") act.size(key === "[" ? -1 : 1);
  else if (key === "+" || key === "=") act.zoom(ZOOM);
  else if (key === "-") act.zoom(1 / ZOOM);
  else if (key === "Home") act.fit();
  else if (key === "?") act.help();
  else if (/^[1-9]$/.test(key)) act.owner(Number(key) - 1);
  else if (!act.letter(key)) {
    const tool = TOOLS.find((candidate) => candidate.key === key);
    if (tool === undefined) return;
    act.tool(tool.name);
  }
  consume(event);
}

/** Stop the event: the board would move its cursor a second time. */
function consume(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

function isText(target: HTMLElement | null): boolean {
  return target?.closest("input:not([type=range]), textarea") !== null;
}
