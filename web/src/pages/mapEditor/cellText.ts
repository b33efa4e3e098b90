/** What lies on a cell, in words. */

import { spoken } from "../../app/format";
import type { Cell, Mark } from "../../api/types";
import type { Draft } from "./mapDraft.svelte";

export function described(draft: Draft, cell: Cell): string {
  const place = `[${cell[0]}, ${cell[1]}]`;
  if (draft.value(0, cell) < 0) return `${place} outside`;
  const layers = draft.kit.layers.map((layer, index) => {
    const value = draft.value(index, cell);
    return layer.type === "code" ? spoken(layer.palette?.[value] ?? "") : `${spoken(layer.name)} ${value}`;
  });
  return `${place} ${[...layers, ...draft.marksAt(cell).map(told)].join(" · ")}`;
}

function told({ kind, owner = -1, numbers = {} }: Mark): string {
  const whose = owner < 0 ? "" : ` of player ${owner + 1}`;
  const figures = Object.entries(numbers).map(([name, value]) => `${spoken(name)} ${value}`);
  return kind + whose + (figures.length > 0 ? ` (${figures.join(", ")})` : "");
}
