/** Builds an order: a cell or a verb first, then a value for each parameter. Menus are refreshed when the match moves on. */

import type { Scene } from "../../board/scene";
import { api, errorMessage } from "../../api/client";
import type { Order } from "../../api/orders";
import type { Cell, Menu, Verb } from "../../api/types";
import type { MatchViewer } from "../../viewer/matchViewer.svelte";
import { beginOrder, isComplete, isLast, offerMenu, isOffered, orderOf, pickValue, skipParameter, takeBackPick, setExtra, type OrderDraft } from "./orderDraft";
import { offersAt, pickedBy, valuesAt, type Offer } from "./orderMenu";
import { extendPath } from "./paths";

export interface OrderBuilderEvents {
  /** An order is complete. */
  give: (verb: Verb, order: Order) => void;
  /** A new pick or verb begins: earlier problems are obsolete. */
  restart: () => void;
}

export class OrderBuilder {
  menus = $state.raw<Readonly<Record<string, Menu>> | null>(null);
  draft = $state.raw<OrderDraft | null>(null);
  /** The cell whose verbs are offered. */
  cell = $state.raw<Cell | null>(null);
  /** The path that is being drawn, as orders write cells. */
  path = $state.raw<readonly Cell[]>([]);
  /** The last error, for users. */
  problem = $state("");
  /** A short message about what has just been done, visible and for screen readers. */
  message = $state("");
  /** An order that is shown on the board. */
  shown = $state.raw<Order | null>(null);
  /** Called when the menu of the next parameter is loaded. */
  onAnswer: (() => void) | null = null;
  /** Whether the match has moved on since the menus were loaded. */
  private stale = true;
  private latestRequest = 0;

  constructor(
    private readonly id: string,
    private readonly seat: number,
    private readonly viewer: MatchViewer,
    private readonly events: OrderBuilderEvents,
  ) {}

  get scene(): Scene | null {
    return this.viewer.view.scene;
  }

  get verbs(): readonly Verb[] {
    return this.viewer.view.legend?.verbs ?? [];
  }

  /** Whether orders can be given: the match runs, and the board shows it as it stands. */
  get isOpen(): boolean {
    return this.viewer.view.isLive && this.viewer.view.following && this.menus !== null;
  }

  get offers(): Offer[] {
    void this.viewer.view.revision;
    return this.scene === null ? [] : offersAt(this.scene, this.verbs, this.menus ?? {}, this.cell);
  }

  /** Whether menus are being loaded: keys wait for them. */
  get isWaiting(): boolean {
    const asking = this.draft !== null && this.draft.menu === undefined;
    return this.viewer.view.isLive && this.viewer.view.following && (this.stale || asking);
  }

  /** A cell was clicked, or chosen by keyboard. */
  point(cell: Cell | null): void {
    this.shown = null;
    this.restart();
    if (cell === null || !this.isOpen || this.scene === null) {
      if (this.draft === null) this.cell = cell;
      return;
    }
    const now = this.draft;
    if (now === null) {
      this.cell = cell;
      return;
    }
    if (now.menu?.pick === "path") {
      this.drawPath(cell);
      return;
    }
    if (isComplete(now)) {
      this.pointAgain(now, cell);
      return;
    }
    const values = pickedBy(this.scene, now, cell);
    if (values.length > 1) this.cell = cell; // which of them, buttons ask
    else if (values.length === 1) void this.choose(values[0]);
    else if (now.menu) this.message = "That is not one of the marked cells. Esc lets go of the order.";
  }

  private restart(): void {
    this.problem = "";
    this.events.restart();
  }

  /** After the last pick: the same cell again gives the order, another one replaces it. */
  private pointAgain(now: OrderDraft, cell: Cell): void {
    const last = now.trail.at(-1);
    const before = takeBackPick(now);
    if (last === undefined || before === null || this.scene === null) return;
    if (before.menu?.pick === "path") {
      const written = this.scene.grid.toWritten(...cell);
      const end = (last.value as Cell[]).at(-1);
      if (end?.[0] === written[0] && end[1] === written[1]) this.commit();
      else {
        this.back();
        this.drawPath(cell);
      }
      return;
    }
    const [value] = pickedBy(this.scene, before, cell);
    if (value === undefined) this.message = "Enter gives the order, Esc lets go of it.";
    else if (JSON.stringify(value) === JSON.stringify(last.value)) this.commit();
    else {
      this.draft = before;
      void this.choose(value);
    }
  }

  /** Begin an order; what is picked already, or the only one there is, is its subject. */
  begin(verb: Verb): void {
    const offer = this.offers.find((candidate) => candidate.verb.do === verb.do);
    if (offer === undefined || !this.isOpen || this.scene === null) return;
    if (offer.reason !== "" || offer.menu === null) {
      this.message = offer.reason;
      return;
    }
    this.shown = null;
    this.restart();
    this.path = [];
    this.draft = beginOrder(verb, offer.menu);
    const here = this.cell === null ? [] : valuesAt(this.scene, offer.menu, this.cell);
    const only = offer.menu.pick === "piece" && offer.menu.pieces.length === 1 ? offer.menu.pieces : [];
    const subject = here.length === 1 ? here[0] : here.length === 0 ? only[0] : undefined;
    if (subject !== undefined) void this.choose(subject);
  }

  /** Pick a value; with `finish`, give the order if that was the last one. */
  async choose(value: unknown, finish = false): Promise<void> {
    if (!this.draft?.menu) return;
    this.path = [];
    const asking = pickValue(this.draft, value);
    this.draft = asking;
    try {
      const menu = (await api.legal(this.id, orderOf(asking), this.seat)) as Menu | null;
      if (this.draft !== asking) return;
      this.draft = offerMenu(asking, asking, menu);
      if (menu === null && finish) this.commit();
      this.onAnswer?.();
    } catch (problem) {
      if (this.draft === asking) this.draft = takeBackPick(asking);
      this.problem = errorMessage(problem);
    }
  }

  skip(): void {
    if (this.draft !== null) this.draft = skipParameter(this.draft);
  }

  setExtra(name: string, text: string): void {
    if (this.draft !== null) this.draft = setExtra(this.draft, name, text);
  }

  /** Extend the path to a cell; the same cell again takes the path. */
  private drawPath(cell: Cell): void {
    const menu = this.draft?.menu;
    if (menu?.pick !== "path" || this.scene === null) return;
    const { grid } = this.scene;
    const written = grid.toWritten(...cell);
    const end = this.path.at(-1);
    if (end !== undefined && end[0] === written[0] && end[1] === written[1]) {
      void this.choose(this.path, true);
      return;
    }
    const beside = (a: Cell, b: Cell): boolean => {
      const [column, row] = grid.fromWritten(b);
      return grid.neighbours(...grid.fromWritten(a)).some(([right, down]) => right === column && down === row);
    };
    const path = extendPath(menu.steps, this.path, written, beside);
    if (path === null) this.message = "No path leads there this turn.";
    else this.path = path;
  }

  /** Take back the last pick, or drop the order. */
  back(): void {
    if (this.path.length > 0) this.path = [];
    else if (this.draft !== null) this.draft = takeBackPick(this.draft);
  }

  cancel(): void {
    this.draft = null;
    this.path = [];
    this.cell = null;
    this.shown = null;
    this.message = "";
  }

  /** Give the order that is complete. */
  commit(): void {
    const now = this.draft;
    if (now === null) return;
    if (now.menu?.pick === "path" && this.path.length > 0) {
      void this.choose(this.path, true);
      return;
    }
    if (!isComplete(now)) return;
    const order = orderOf(now);
    this.draft = null;
    this.cell = null;
    this.events.give(now.verb, order);
  }

  /** Whether the parameter that is asked for is the last one that is needed. */
  get isLastPick(): boolean {
    return this.draft !== null && isLast(this.draft);
  }

  /** The match has moved on: the menus are obsolete until `refresh`. */
  markStale(): void {
    this.stale = true;
  }

  /** The match is over. */
  end(): void {
    this.draft = null;
    this.menus = {};
  }

  /** Load the menus of the match as it stands now. */
  async refresh(): Promise<void> {
    const request = ++this.latestRequest;
    const menus = await api.legal(this.id, {}, this.seat).catch(() => ({}));
    if (request !== this.latestRequest) return;
    this.menus = (menus ?? {}) as Record<string, Menu>;
    await this.repeatPicks();
    if (request !== this.latestRequest) return;
    this.stale = false;
    this.onAnswer?.();
  }

  /** Repeat the picks in a match that has moved on, as far as they are still possible. */
  private async repeatPicks(): Promise<void> {
    const before = this.draft;
    if (before === null) return;
    const first = this.menus?.[before.verb.do];
    let now: OrderDraft = beginOrder(before.verb, first ?? null);
    if (first === undefined) {
      this.draft = null;
      this.message = "The match has moved on, and this order is not possible any more.";
      return;
    }
    for (const { menu, value } of before.trail) {
      if (!now.menu || !isOffered(now.menu, menu.param, value)) break;
      const asking = pickValue(now, value);
      const next = (await api.legal(this.id, orderOf(asking), this.seat).catch(() => undefined)) as Menu | null | undefined;
      if (next === undefined) break;
      now = offerMenu(asking, asking, next);
    }
    if (this.draft === before) this.draft = { ...now, extras: before.extras };
  }
}
