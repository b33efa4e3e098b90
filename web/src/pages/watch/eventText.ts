/** Events and cells in words, from the legend alone. */

import { humanize } from "../../app/format";
import type { Cell, Outcome, SceneEvent } from "../../api/types";
import type { Scene } from "../../board/scene";

export interface Part {
  kind: "word" | "player" | "cell" | "piece";
  text: string;
  side?: number;
  cell?: Cell;
}

/** An event as parts of a line: its name first, then its arguments with theirs. */
export function eventParts([kind, values]: SceneEvent, scene: Scene): Part[] {
  const event = scene.legend.events[kind];
  if (event === undefined) return [];
  const parts: Part[] = [];
  Object.entries(event.args).forEach(([name, type], index) => {
    const value = values[index];
    if (value === null || value === undefined) return;
    if (type === "player") {
      if (typeof value !== "number" || value < 0) return;
      parts.push(word(name), { kind: "player", text: scene.names[value] ?? `player ${value}`, side: scene.side(value) });
    } else if (type === "cell" && Array.isArray(value)) {
      const cell = scene.grid.fromWritten(value as [number, number]);
      parts.push(word(name), { kind: "cell", text: value.join(", "), cell });
    } else if (type === "piece" && typeof value === "number") {
      const piece = scene.pieces.get(value);
      const label = piece === undefined ? `#${value}` : `${scene.legend.kinds[piece.kind]?.name ?? "piece"} #${value}`;
      parts.push(word(name), {
        kind: "piece",
        text: label,
        ...(piece === undefined ? {} : { side: scene.sideOf(piece), cell: [piece.column, piece.row] as Cell }),
      });
    } else if (type === "choice" && typeof value === "number") {
      const choice = event.choices?.[value] ?? String(value);
      if (value > 0 || choice !== event.choices?.[0]) parts.push(word(name), word(humanize(choice)));
    } else if (type === "number") parts.push(word(name), word(String(value)));
  });
  return parts;
}

function word(text: string): Part {
  return { kind: "word", text: humanize(text) };
}

/** Who has won, and the verb that goes with it. */
export function describeWinners(outcome: Outcome): { who: string; does: string } {
  const winners = outcome.ranking.filter((entry) => entry.place === 1).map((entry) => entry.name);
  return { who: winners.join(", "), does: winners.length === 1 ? "wins" : "win" };
}

/** A cell in one line, for the tip at the cursor. */
export function tipOf(scene: Scene, [column, row]: Cell): string {
  const parts = [scene.grid.toWritten(column, row).join(", ")];
  scene.layers.forEach((layer, index) => {
    const value = scene.value(index, column, row);
    if (value === null) return;
    if (layer.type === "player" && value >= 0) parts.push(layer.name === scene.legend.team_figure ? `team ${value}` : (scene.names[value] ?? `player ${value}`));
    else if (layer.type === "code" && value > 0) parts.push(humanize(layer.palette?.[value] ?? String(value)));
    else if (layer.type === "number" && value !== 0 && !layer.still) parts.push(`${humanize(layer.name)} ${value}`);
  });
  for (const piece of scene.piecesAt(column, row).slice(0, 3))
    parts.push(`${humanize(scene.legend.kinds[piece.kind]?.name ?? "piece")}${piece.owner >= 0 ? ` of ${scene.names[piece.owner] ?? piece.owner}` : ""}`);
  return parts.join(" · ");
}
