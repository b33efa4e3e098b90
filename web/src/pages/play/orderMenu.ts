/** What a click or a verb can mean: menus matched against the board. */

import { towards } from "../../board/directions";
import type { Scene } from "../../board/scene";
import { gameWords } from "../../app/sentences";
import { words } from "../../i18n";
import type { Cell, Forecast, Menu, Verb } from "../../api/types";
import { isEmpty, parameterOf, type OrderDraft } from "./orderDraft";
import { pieceName, placeOf } from "./orderText";

/** More pieces than this are picked on the board alone. */
const MOST_BUTTONS = 9;

/** A verb as a button. */
export interface Offer {
  verb: Verb;
  menu: Menu | null;
  /** Why it cannot be chosen; empty if it can. */
  reason: string;
}

/** Every verb of players, with the reason why one is not for now or not for the cell that is picked. */
export function offersAt(scene: Scene, verbs: readonly Verb[], menus: Readonly<Record<string, Menu>>, cell: Cell | null, why: (verb: Verb) => string = () => ""): Offer[] {
  return verbs.filter(({ role }) => !role).map((verb) => {
    const menu = menus[verb.do] ?? null;
    if (menu === null || isEmpty(menu)) return { verb, menu: null, reason: why(verb) || words.play.nothingCan };
    if (cell !== null && !isAnywhere(scene, menu) && valuesAt(scene, menu, cell).length === 0)
      return { verb, menu, reason: why(verb) || words.play.notHere };
    return { verb, menu, reason: "" };
  });
}

/** Whether a menu offers something that lies on no cell. */
export function isAnywhere(scene: Scene, menu: Menu): boolean {
  if (menu.pick === "piece") return menu.pieces.some((id) => !scene.pieces.has(id));
  return menu.pick !== "cell" && menu.pick !== "path";
}

/** What of a menu lies on a cell. */
export function valuesAt(scene: Scene, menu: Menu, cell: Cell): (Cell | number)[] {
  if (menu.pick === "cell") {
    const written = scene.grid.toWritten(...cell);
    return menu.cells.filter(([first, second]) => first === written[0] && second === written[1]);
  }
  if (menu.pick === "piece") return scene.piecesAt(...cell).filter(({ id }) => menu.pieces.includes(id)).map(({ id }) => id);
  return [];
}

/** The cells with which an order can begin. */
export function subjectsOf(scene: Scene, menus: Readonly<Record<string, Menu>>): Cell[] {
  const found = new Map<string, Cell>();
  for (const menu of Object.values(menus)) {
    const values = menu.pick === "cell" ? menu.cells : menu.pick === "piece" ? menu.pieces : [];
    for (const value of values) {
      const cell = placeOf(scene, value);
      if (cell !== null) found.set(cell.join(), cell);
    }
  }
  return [...found.values()];
}

export interface PieceChoice {
  id: number;
  name: string;
  forecast: Forecast | null;
}

/** The name of a piece that a menu offers; it may be on no cell. */
export function offeredName(scene: Scene | null, { pieces, names }: Extract<Menu, { pick: "piece" }>, index: number, seat: number): string {
  const given = names?.[index];
  return given && scene !== null ? gameWords(scene.legend).phraseOf(given) : pieceName(scene, pieces[index] ?? -1, seat);
}

/** Pieces that are offered as buttons: those on the cell, those on no cell, or all if they are few. */
export function pieceChoices(scene: Scene, menu: Menu, cell: Cell | null, seat: number): PieceChoice[] {
  if (menu.pick !== "piece") return [];
  const { pieces } = menu;
  const here = cell === null ? [] : valuesAt(scene, menu, cell);
  return pieces
    .map((id, index) => ({ id, name: offeredName(scene, menu, index, seat), forecast: menu.forecasts?.[index] ?? null }))
    .filter(({ id }) => (here.length > 1 ? here.includes(id) : pieces.length <= MOST_BUTTONS || !scene.pieces.has(id)));
}

/** The cells of the board that can be picked now. */
export function candidates(scene: Scene, now: OrderDraft): Cell[] {
  const { menu } = now;
  if (!menu) return [];
  const { grid } = scene;
  switch (menu.pick) {
    case "cell":
      return menu.cells.map((cell) => grid.fromWritten(cell));
    case "piece":
      return menu.pieces.map((id) => placeOf(scene, id)).filter((cell) => cell !== null);
    case "path":
      return menu.steps.map((step) => grid.fromWritten(step.cell));
    case "choice":
      return directionsOf(scene, now).map(({ cell }) => cell);
    case "number":
      return [];
  }
}

/** Where the directions lead that can be chosen now. */
export function directionsOf(scene: Scene, now: OrderDraft): { word: string; cell: Cell }[] {
  const from = originOf(scene, now);
  if (now.menu?.pick !== "choice" || parameterOf(now)?.pick !== "direction" || from === null) return [];
  return now.menu.choices.flatMap((choice) => {
    const cell = towards(scene.grid, from, String(choice));
    return cell === null ? [] : [{ word: String(choice), cell }];
  });
}

/** The cell from which an order starts: that of the last piece or cell picked. */
export function originOf(scene: Scene, now: OrderDraft): Cell | null {
  for (const { value } of [...now.trail].reverse()) {
    const cell = placeOf(scene, value);
    if (cell !== null) return cell;
  }
  return null;
}

/** What a click on a cell picks; several pieces may stand there. A path is drawn, not picked. */
export function pickedBy(scene: Scene, now: OrderDraft, cell: Cell): unknown[] {
  if (!now.menu) return [];
  const direction = directionsOf(scene, now).find((candidate) => candidate.cell[0] === cell[0] && candidate.cell[1] === cell[1]);
  return direction === undefined ? valuesAt(scene, now.menu, cell) : [direction.word];
}
