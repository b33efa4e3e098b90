/** What an order would damage or destroy of the player's own or of its team, as a question. */

import { gameWords } from "../../app/sentences";
import type { Order } from "../../api/orders";
import type { Verb } from "../../api/types";
import type { Piece, Scene } from "../../board/scene";
import { words } from "../../i18n";
import { parameterName, shapeOf } from "./orderText";

/** The question before such an order; empty if it harms nothing of the player's. */
export function questionOf(scene: Scene, verb: Verb, order: Order, seat: number): string {
  if (verb.harms === "own") return words.play.destroyOwn(kindName(scene, subjectOf(scene, verb, order)) || parameterName(scene, verb, verb.params[0]?.name ?? ""));
  if (verb.harms !== "target") return "";
  const friend = targetsOf(scene, verb, order).find((piece) => scene.sideOf(piece) >= 0 && scene.sideOf(piece) === scene.side(seat));
  if (friend === undefined) return "";
  const ask = friend.owner === seat ? words.play.harmOwn : words.play.harmAlly;
  return ask(gameWords(scene.legend).title("verbs", verb.do), kindName(scene, friend));
}

function kindName(scene: Scene, piece: Piece | undefined): string {
  return piece === undefined ? "" : gameWords(scene.legend).name("kinds", scene.legend.kinds[piece.kind]?.name ?? "");
}

function subjectOf(scene: Scene, verb: Verb, order: Order): Piece | undefined {
  const parameter = verb.params.find(({ pick }) => pick === "piece");
  const value = parameter === undefined ? undefined : order[parameter.name];
  return typeof value === "number" ? scene.pieces.get(value) : undefined;
}

/** The pieces that an order is aimed at: the second one that it names, or all on the cell where it ends. */
function targetsOf(scene: Scene, verb: Verb, order: Order): Piece[] {
  const named = verb.params.filter(({ pick }) => pick === "piece").slice(1).map(({ name }) => order[name]);
  if (named.length > 0) return named.flatMap((value) => scene.pieces.get(value as number) ?? []);
  const { path, leads } = shapeOf(scene, verb, order);
  const end = path.at(-1);
  return leads && end !== undefined ? scene.piecesAt(...end) : [];
}
