/** A cell in words. */

import { humanize } from "../../app/format";
import type { Cell, MapObject } from "../../api/types";
import type { MapDraft } from "./mapDraft.svelte";
import { words } from "../../i18n";

export function describeCell(draft: MapDraft, cell: Cell): string {
  const place = `[${cell[0]}, ${cell[1]}]`;
  if (draft.value(0, cell) < 0) return words.mapEditor.outside(place);
  const layers = draft.spec.layers.map((layer, index) => {
    const value = draft.value(index, cell);
    return layer.type === "code" ? humanize(layer.palette?.[value] ?? "") : `${humanize(layer.name)} ${value}`;
  });
  return `${place} ${[...layers, ...draft.marksAt(cell).map(describeObject)].join(" · ")}`;
}

function describeObject({ kind, owner = -1, numbers = {} }: MapObject): string {
  const whose = owner < 0 ? "" : words.mapEditor.ofPlayer(owner + 1);
  const figures = Object.entries(numbers).map(([name, value]) => `${humanize(name)} ${value}`);
  return kind + whose + (figures.length > 0 ? ` (${figures.join(", ")})` : "");
}
