/** The brushes of a map spec: its words, amounts and marks, holes, and an eraser. */

import { humanize, titleOf } from "../../app/format";
import type { MapMark, MapSpec } from "../../api/types";
import { words } from "../../i18n";

export type Brush = { id: string; words: string; key: string } & (
  | { kind: "code"; layer: number; value: number }
  | { kind: "number"; layer: number; value: number }
  | { kind: "mark"; mark: MapMark }
  | { kind: "hole" }
  | { kind: "erase" }
);

export interface BrushGroup {
  title: string;
  brushes: Brush[];
}

const HOLE_KEY = "0";
const ERASER_KEY = "z";

/** Brushes in groups: ground, amounts, what belongs to players, what stands on its own. */
export function brushesOf(spec: MapSpec): BrushGroup[] {
  const groups: BrushGroup[] = [];
  const amounts: Brush[] = [];
  spec.layers.forEach((layer, index) => {
    const { name, keys = [] } = layer;
    if (layer.type === "number") amounts.push({ id: name, words: titleOf(name), key: keys[0] ?? "", kind: "number", layer: index, value: layer.usual ?? 0 });
    else groups.push({ title: titleOf(name), brushes: (layer.palette ?? []).map((word, value) => ({ id: `${name} ${word}`, words: titleOf(word), key: keys[value] ?? "", kind: "code", layer: index, value })) });
  });
  if (amounts.length > 0) groups.push({ title: words.mapEditor.amounts, brushes: amounts });
  const marks = (owned: boolean): Brush[] =>
    spec.marks.filter((mark) => (mark.owned === true) === owned).map((mark) => ({ id: mark.name, words: titleOf(mark.name), key: mark.key, kind: "mark", mark }));
  if (marks(true).length > 0) groups.push({ title: words.mapEditor.players, brushes: marks(true) });
  if (marks(false).length > 0) groups.push({ title: words.mapEditor.marks, brushes: marks(false) });
  const rest: Brush[] = [{ id: "erase", words: words.mapEditor.eraser, key: ERASER_KEY, kind: "erase" }];
  if (spec.holes) rest.push({ id: "hole", words: words.mapEditor.outsideBrush, key: HOLE_KEY, kind: "hole" });
  groups.push({ title: words.mapEditor.remove, brushes: rest });
  return groups;
}

/** The tooltip of a brush. */
export function brushTooltip(brush: Brush): string {
  switch (brush.kind) {
    case "erase":
      return words.mapEditor.takesMarksAwayOn;
    case "hole":
      return words.mapEditor.cellsThatAreNot;
    case "mark":
      return brush.mark.once ? words.mapEditor.oneForEachPlayer(humanize(brush.mark.name)) : brush.words;
    default:
      return brush.words;
  }
}
