/** Outcomes and cells in words, from the legend alone. */

import { gameWords } from "../../app/sentences";
import type { Cell, Outcome } from "../../api/types";
import type { Scene } from "../../board/scene";

/** Who has won, and the verb that goes with it. */
export function describeWinners(outcome: Outcome): { who: string; does: string } {
  const winners = outcome.ranking.filter((entry) => entry.place === 1).map((entry) => entry.name);
  return { who: winners.join(", "), does: winners.length === 1 ? "wins" : "win" };
}

/** A cell in one line, for the tip at the cursor. */
export function tipOf(scene: Scene, [column, row]: Cell): string {
  const words = gameWords(scene.legend);
  const parts = [scene.grid.toWritten(column, row).join(", ")];
  scene.layers.forEach((layer, index) => {
    const value = scene.value(index, column, row);
    if (value === null) return;
    if (layer.type === "player" && value >= 0) parts.push(layer.name === scene.legend.team_figure ? `team ${value}` : (scene.names[value] ?? `player ${value}`));
    else if (layer.type === "code" && value > 0) parts.push(words.name("choices", layer.palette?.[value] ?? String(value)));
    else if (layer.type === "number" && value !== 0 && !layer.still) parts.push(`${words.name("figures", layer.name)} ${value}`);
  });
  for (const piece of scene.piecesAt(column, row).slice(0, 3))
    parts.push(`${words.name("kinds", scene.legend.kinds[piece.kind]?.name ?? "piece")}${piece.owner >= 0 ? ` of ${scene.names[piece.owner] ?? piece.owner}` : ""}`);
  return parts.join(" · ");
}
