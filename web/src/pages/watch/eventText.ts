/** Outcomes and cells in words, from the legend alone. */

import { gameWords, LONG_ID } from "../../app/sentences";
import type { Cell, Outcome } from "../../api/types";
import type { Piece, Scene } from "../../board/scene";
import { words } from "../../i18n";

/** Who has won. */
export function describeWinners(outcome: Outcome): string {
  return words.watch.winners(outcome.ranking.filter((entry) => entry.place === 1).map((entry) => entry.name));
}

/** A piece by its own name or number. */
export function pieceTitle(scene: Scene, { id, kind }: Piece): string {
  const names = gameWords(scene.legend);
  const name = names.name("kinds", scene.legend.kinds[kind]?.name ?? "piece");
  const own = scene.pieceNames.get(id);
  if (own !== undefined) return names.phrase("named_piece", { kind: name, name: own });
  return id < LONG_ID ? `${name} #${id}` : name;
}

/** A piece by its kind, with its owner's name. */
function ownedName(scene: Scene, { kind, owner }: Piece): string {
  const names = gameWords(scene.legend);
  const name = names.name("kinds", scene.legend.kinds[kind]?.name ?? "piece");
  return owner < 0 ? name : names.phrase("owned_piece", { player: scene.names[owner] ?? names.phrase("player"), kind: name });
}

/** A cell in one line, for the tip at the cursor. */
export function tipOf(scene: Scene, [column, row]: Cell): string {
  const names = gameWords(scene.legend);
  const parts = [scene.grid.toWritten(column, row).join(", ")];
  scene.layers.forEach((layer, index) => {
    const value = scene.value(index, column, row);
    if (value === null) return;
    if (layer.type === "player" && value >= 0) parts.push(layer.name === scene.legend.team_figure ? scene.teamName(value) : (scene.names[value] ?? words.watch.playerNumber(value)));
    else if (layer.type === "code" && value > 0) parts.push(names.name("choices", layer.palette?.[value] ?? String(value)));
    else if (layer.type === "number" && value !== 0 && !layer.still) parts.push(`${names.name("figures", layer.name)} ${value}`);
  });
  for (const piece of scene.piecesAt(column, row).slice(0, 3))
    parts.push(ownedName(scene, piece));
  return parts.join(" · ");
}
