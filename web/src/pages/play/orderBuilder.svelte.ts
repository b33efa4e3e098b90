/** Makes orders: a cell or a verb first, then pick after pick from the menus of a match that moves on meanwhile. */

import type { Scene } from "../../board/scene";
import { api, sentence } from "../../api/client";
import type { Cell, Menu, Order, Verb } from "../../api/types";
import type { Theater } from "../../viewer/matchViewer.svelte";
import { begin, isComplete, isLast, offered, offers, orderOf, picked, skipped, takenBack, worded, type Composing } from "./orderDraft";
import { offersAt, pickedBy, valuesAt, type Offer } from "./orderMenu";
import { extended } from "./paths";

export abstract class Maker {
  menus = $state.raw<Readonly<Record<string, Menu>> | null>(null);
  composing = $state.raw<Composing | null>(null);
  /** The cell whose verbs are offered. */
  cell = $state.raw<Cell | null>(null);
  /** The way that is being drawn, as orders write cells. */
  way = $state.raw<readonly Cell[]>([]);
  /** What went wrong last, in a sentence. */
  problem = $state("");
  /** A short word about what has just been done, for eyes and ears. */
  said = $state("");
  /** An order that is shown on the board. */
  shown = $state.raw<Order | null>(null);
  /** Called when the server has said what may be picked next. */
  answered: (() => void) | null = null;
  /** Whether the match has moved on since the menus were told. */
  protected stale = true;
  private asked = 0;

  constructor(
    readonly id: string,
    readonly seat: number,
    readonly theater: Theater,
  ) {}

  /** What becomes of an order that is complete. */
  protected abstract give(verb: Verb, order: Order): void;

  get scene(): Scene | null {
    return this.theater.scene;
  }

  get verbs(): readonly Verb[] {
    return this.theater.legend?.verbs ?? [];
  }

  /** Whether orders can be given: the match runs, and the board shows it as it stands. */
  get isOpen(): boolean {
    return this.theater.isLive && this.theater.following && this.menus !== null;
  }

  get offers(): Offer[] {
    void this.theater.revision;
    return this.scene === null ? [] : offersAt(this.scene, this.verbs, this.menus ?? {}, this.cell);
  }

  /** Whether the server is asked what is possible, and keys had better wait for its answer. */
  get isWaiting(): boolean {
    const asking = this.composing !== null && this.composing.menu === undefined;
    return this.theater.isLive && this.theater.following && (this.stale || asking);
  }

  /** A cell was clicked, or chosen by keyboard. */
  point(cell: Cell | null): void {
    this.shown = null;
    this.hush();
    if (cell === null || !this.isOpen || this.scene === null) {
      if (this.composing === null) this.cell = cell;
      return;
    }
    const now = this.composing;
    if (now === null) {
      this.cell = cell;
      return;
    }
    if (now.menu?.pick === "path") {
      this.draw(cell);
      return;
    }
    if (isComplete(now)) {
      this.pointAgain(now, cell);
      return;
    }
    const values = pickedBy(this.scene, now, cell);
    if (values.length > 1) this.cell = cell; // which of them, buttons ask
    else if (values.length === 1) void this.choose(values[0]);
    else if (now.menu) this.said = "That is not one of the marked cells. Esc lets go of the order.";
  }

  /** Something new begins: what went wrong before is known. */
  protected hush(): void {
    this.problem = "";
  }

  /** After the last pick: the same cell again gives the order, another one takes its place. */
  private pointAgain(now: Composing, cell: Cell): void {
    const last = now.trail.at(-1);
    const before = takenBack(now);
    if (last === undefined || before === null || this.scene === null) return;
    if (before.menu?.pick === "path") {
      const written = this.scene.grid.toWritten(...cell);
      const end = (last.value as Cell[]).at(-1);
      if (end?.[0] === written[0] && end[1] === written[1]) this.commit();
      else {
        this.back();
        this.draw(cell);
      }
      return;
    }
    const [value] = pickedBy(this.scene, before, cell);
    if (value === undefined) this.said = "Enter gives the order, Esc lets go of it.";
    else if (JSON.stringify(value) === JSON.stringify(last.value)) this.commit();
    else {
      this.composing = before;
      void this.choose(value);
    }
  }

  /** Begin an order; what is picked already, or the only one there is, is its subject. */
  begin(verb: Verb): void {
    const offer = this.offers.find((one) => one.verb.do === verb.do);
    if (offer === undefined || !this.isOpen || this.scene === null) return;
    if (offer.reason !== "" || offer.menu === null) {
      this.said = offer.reason;
      return;
    }
    this.shown = null;
    this.hush();
    this.way = [];
    this.composing = begin(verb, offer.menu);
    const here = this.cell === null ? [] : valuesAt(this.scene, offer.menu, this.cell);
    const only = offer.menu.pick === "piece" && offer.menu.pieces.length === 1 ? offer.menu.pieces : [];
    const subject = here.length === 1 ? here[0] : here.length === 0 ? only[0] : undefined;
    if (subject !== undefined) void this.choose(subject);
  }

  /** Pick a value; with `finish`, give the order if that was the last one. */
  async choose(value: unknown, finish = false): Promise<void> {
    if (!this.composing?.menu) return;
    this.way = [];
    const asking = picked(this.composing, value);
    this.composing = asking;
    try {
      const menu = (await api.legal(this.id, orderOf(asking), this.seat)) as Menu | null;
      if (this.composing !== asking) return;
      this.composing = offered(asking, asking, menu);
      if (menu === null && finish) this.commit();
      this.answered?.();
    } catch (problem) {
      if (this.composing === asking) this.composing = takenBack(asking);
      this.problem = sentence(problem);
    }
  }

  skip(): void {
    if (this.composing !== null) this.composing = skipped(this.composing);
  }

  word(name: string, text: string): void {
    if (this.composing !== null) this.composing = worded(this.composing, name, text);
  }

  /** The way goes to a cell; there once more, it is taken. */
  private draw(cell: Cell): void {
    const menu = this.composing?.menu;
    if (menu?.pick !== "path" || this.scene === null) return;
    const { grid } = this.scene;
    const written = grid.toWritten(...cell);
    const end = this.way.at(-1);
    if (end !== undefined && end[0] === written[0] && end[1] === written[1]) {
      void this.choose(this.way, true);
      return;
    }
    const beside = (one: Cell, other: Cell): boolean => {
      const [column, row] = grid.fromWritten(other);
      return grid.neighbours(...grid.fromWritten(one)).some(([right, down]) => right === column && down === row);
    };
    const way = extended(menu.steps, this.way, written, beside);
    if (way === null) this.said = "No way leads there this turn.";
    else this.way = way;
  }

  /** One pick back, or the order let go. */
  back(): void {
    if (this.way.length > 0) this.way = [];
    else if (this.composing !== null) this.composing = takenBack(this.composing);
  }

  letGo(): void {
    this.composing = null;
    this.way = [];
    this.cell = null;
    this.shown = null;
    this.said = "";
  }

  /** Give the order that is complete. */
  commit(): void {
    const now = this.composing;
    if (now === null) return;
    if (now.menu?.pick === "path" && this.way.length > 0) {
      void this.choose(this.way, true);
      return;
    }
    if (!isComplete(now)) return;
    const order = orderOf(now);
    this.composing = null;
    this.cell = null;
    this.give(now.verb, order);
  }

  /** Whether the parameter that is asked for is the last one that is needed. */
  get isLastPick(): boolean {
    return this.composing !== null && isLast(this.composing);
  }

  /** Ask what may be ordered as the match stands now. */
  async look(): Promise<void> {
    const request = ++this.asked;
    const menus = await api.legal(this.id, {}, this.seat).catch(() => ({}));
    if (request !== this.asked) return;
    this.menus = (menus ?? {}) as Record<string, Menu>;
    await this.renew();
    if (request !== this.asked) return;
    this.stale = false;
    this.answered?.();
  }

  /** Make the same picks again in a match that has moved on, as far as they are still possible. */
  private async renew(): Promise<void> {
    const before = this.composing;
    if (before === null) return;
    const first = this.menus?.[before.verb.do];
    let now: Composing = begin(before.verb, first ?? null);
    if (first === undefined) {
      this.composing = null;
      this.said = "The match has moved on, and this order is not possible any more.";
      return;
    }
    for (const { menu, value } of before.trail) {
      if (!now.menu || !offers(now.menu, menu.param, value)) break;
      const asking = picked(now, value);
      const next = (await api.legal(this.id, orderOf(asking), this.seat).catch(() => undefined)) as Menu | null | undefined;
      if (next === undefined) break;
      now = offered(asking, asking, next);
    }
    if (this.composing === before) this.composing = { ...now, extras: before.extras };
  }
}
