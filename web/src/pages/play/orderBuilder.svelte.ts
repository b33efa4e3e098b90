/** Builds an order: a cell or a verb first, then a value for each parameter. Menus are refreshed when the match moves on. */

import type { Scene } from "../../board/scene";
import { errorMessage } from "../../api/client";
import { canonicalText, type Order } from "../../api/orders";
import type { Cell, Forecast, Menu, Menus, Phrase, Resource, Verb } from "../../api/types";
import { gameWords } from "../../app/sentences";
import type { MatchViewer } from "../../viewer/matchViewer.svelte";
import { words } from "../../i18n";
import { questionOf } from "./harm";
import { MenuStore } from "./menuStore";
import { beginOrder, forecastOf, isComplete, isLast, offerMenu, isOffered, orderOf, pickValue, proposedAmount, skipParameter, takeBackPick, setExtra, type OrderDraft } from "./orderDraft";
import { shortageOf } from "./budget";
import { offersAt, pickedBy, valuesAt, type Offer } from "./orderMenu";
import { reasonText } from "./orderText";
import { extendPath } from "./paths";

export interface OrderBuilderEvents {
  /** An order is complete. */
  give: (verb: Verb, order: Order) => void;
  /** A new pick or verb begins: earlier problems are obsolete. */
  restart: () => void;
  /** The orders of this turn. */
  queued: () => readonly Order[];
}

interface Conditions {
  /** By verb the least that an order of it costs. */
  prices: Readonly<Record<string, Record<string, number>>>;
  /** By verb why it is not possible. */
  reasons: Readonly<Record<string, Phrase>>;
}

const NO_CONDITIONS: Conditions = { prices: {}, reasons: {} };

export class OrderBuilder {
  menus = $state.raw<Readonly<Record<string, Menu>> | null>(null);
  /** What orders are paid from, before and after the queued ones. */
  resources = $state.raw<readonly Resource[]>([]);
  /** What verbs cost and why some are not possible: in general, and for the cell that is picked. */
  private general = $state.raw<Conditions>(NO_CONDITIONS);
  private local = $state.raw<Conditions | null>(null);
  /** By queued order what it would do. */
  private expected = $state.raw<ReadonlyMap<string, Forecast>>(new Map());
  draft = $state.raw<OrderDraft | null>(null);
  /** The cell whose verbs are offered. */
  cell = $state.raw<Cell | null>(null);
  /** The path that is being drawn, as orders write cells. */
  path = $state.raw<readonly Cell[]>([]);
  /** The number that is asked for, as it stands in its field. */
  amount = $state<number | null>(null);
  /** The last error, for users. */
  problem = $state("");
  /** A short message about what has just been done, visible and for screen readers. */
  message = $state("");
  /** An order that is shown on the board. */
  shown = $state.raw<Order | null>(null);
  /** Clicks and keys that wait for menus, in their order. */
  private waiting = $state.raw<readonly (() => void)[]>([]);
  private isCatchingUp = false;
  /** Incremented when menus were loaded in the background. */
  private loaded = $state(0);
  /** Whether the match has moved on since the menus were loaded. */
  private stale = $state(true);
  private latestRequest = 0;
  /** Whether digits of the number were typed. */
  private typed = false;
  private readonly store: MenuStore;

  constructor(
    id: string,
    private readonly seat: number,
    private readonly viewer: MatchViewer,
    private readonly events: OrderBuilderEvents,
  ) {
    this.store = new MenuStore(id, seat, events.queued);
  }

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
    return this.scene === null ? [] : offersAt(this.scene, this.verbs, this.menus ?? {}, this.cell, (verb) => this.whyNot(verb));
  }

  /** Why a verb is not possible, now or for the picked cell: what the rules say, or what is missing; empty if not known. */
  private whyNot(verb: Verb): string {
    const { prices, reasons } = this.local ?? this.general;
    if (this.scene === null) return "";
    const names = gameWords(this.scene.legend);
    const reason = reasons[verb.do];
    return reason === undefined ? shortageOf(prices[verb.do] ?? {}, this.resources, names) : reasonText(this.scene, verb, reason);
  }

  /** What a queued order would do; null if that is not known. */
  forecastOf(order: Order): Forecast | null {
    return this.expected.get(canonicalText(order)) ?? null;
  }

  /** What the order that is built would do, with the number in its field. */
  get forecast(): Forecast | null {
    return this.draft === null ? null : forecastOf(this.draft, this.amount);
  }

  /** Whether menus are being loaded on which the next click or key depends. */
  private get isLoading(): boolean {
    const asking = this.draft !== null && this.draft.menu === undefined;
    return this.viewer.view.isLive && this.viewer.view.following && (this.stale || asking);
  }

  /** Whether what is clicked or typed now has to wait for menus. */
  get isWaiting(): boolean {
    return this.isLoading || (this.waiting.length > 0 && !this.isCatchingUp);
  }

  /** Do something now, or when the menus are loaded on which it depends: nothing that is clicked or typed is lost. */
  whenLoaded(action: () => void): void {
    if (this.isWaiting) this.waiting = [...this.waiting, action];
    else action();
  }

  private catchUp(): void {
    if (this.isCatchingUp) return;
    this.isCatchingUp = true;
    while (this.waiting.length > 0 && !this.isLoading) {
      const [next, ...rest] = this.waiting;
      this.waiting = rest;
      next?.();
    }
    this.isCatchingUp = false;
  }

  /** A cell was clicked, or chosen by keyboard; true if that is a part of an order. */
  point(cell: Cell | null): boolean {
    const ordering = this.draft !== null || this.waiting.length > 0;
    if (ordering && cell !== null) this.whenLoaded(() => this.pickCell(cell));
    else this.select(cell);
    return ordering;
  }

  /** Select a cell for the next verb, and load what can be ordered there. */
  private select(cell: Cell | null): void {
    this.shown = null;
    this.restart();
    if (this.draft !== null) return;
    this.cell = cell;
    this.local = null;
    if (cell !== null && !this.stale) void this.loadCell(cell);
  }

  /** Load what can be ordered for a cell, and why the rest cannot. */
  private async loadCell(cell: Cell): Promise<void> {
    const { scene } = this;
    if (scene === null) return;
    const orders = this.offers.flatMap(({ verb, menu, reason }) => (menu === null || reason !== "" ? [] : valuesAt(scene, menu, cell).map((value): Order => ({ do: verb.do, [menu.param]: value }))));
    const found = await this.store.request(orders, scene.grid.toWritten(...cell)).catch(() => null); // asked for again when it is needed
    this.loaded++;
    if (found !== null && this.cell === cell) this.local = found;
  }

  /** Load menus that will probably be needed. */
  private prefetch(orders: readonly Order[]): void {
    void this.store
      .load(orders)
      .then(() => this.loaded++)
      .catch(() => undefined); // asked for again when they are needed
  }

  /** What is enough for the number that follows a pick, and whether there is so much; null if no such number follows. */
  neededAfter(value: unknown): { needed: number; isThere: boolean } | null {
    void this.loaded;
    const next = this.draft?.menu ? this.store.get(orderOf(pickValue(this.draft, value))) : null;
    return next?.pick !== "number" || next.needed == null ? null : { needed: next.needed, isThere: next.needed <= next.most };
  }

  private pickCell(cell: Cell): void {
    const now = this.draft;
    if (now === null || !this.isOpen || this.scene === null) {
      this.select(cell);
      return;
    }
    this.shown = null;
    this.restart();
    if (now.menu?.pick === "path") {
      this.drawPath(cell);
      return;
    }
    const values = pickedBy(this.scene, now, cell);
    if (values.length > 1) this.cell = cell; // which of them, buttons ask
    else if (values.length === 1) void this.pick(values[0]);
    else this.pickAgain(now, cell);
  }

  private restart(): void {
    this.problem = "";
    this.events.restart();
  }

  /** A cell that is not asked for: the last target again gives the order, another target replaces it. */
  private pickAgain(now: OrderDraft, cell: Cell): void {
    const last = now.trail.at(-1);
    const before = takeBackPick(now);
    if (last === undefined || before === null || this.scene === null) {
      this.message = words.play.cellRefused;
      return;
    }
    if (before.menu?.pick === "path") {
      const written = this.scene.grid.toWritten(...cell);
      const end = (last.value as Cell[]).at(-1);
      if (end?.[0] === written[0] && end[1] === written[1]) this.finish();
      else {
        this.takeBack();
        this.drawPath(cell);
      }
      return;
    }
    const [value] = pickedBy(this.scene, before, cell);
    if (value === undefined) this.message = words.play.cellRefused;
    else if (JSON.stringify(value) === JSON.stringify(last.value)) this.finishIfHopeful();
    else {
      this.draft = before;
      void this.pick(value);
    }
  }

  /** Begin an order; what is picked already is its subject, or the only one there is, unless the order destroys it. */
  begin(verb: Verb): void {
    this.whenLoaded(() => this.start(verb));
  }

  private start(verb: Verb): void {
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
    const only = offer.menu.pick === "piece" && offer.menu.pieces.length === 1 && verb.harms !== "own" ? offer.menu.pieces : [];
    const subject = here.length === 1 ? here[0] : here.length === 0 ? only[0] : undefined;
    if (subject !== undefined) void this.pick(subject);
    else {
      this.propose();
      this.prefetch([{ do: verb.do }]);
    }
  }

  /** Pick a value; with `finish`, give the order if that was the last one. */
  choose(value: unknown, finish = false): void {
    this.whenLoaded(() => void this.pick(value, finish));
  }

  private async pick(value: unknown, finish = false): Promise<void> {
    const now = this.draft;
    if (!now?.menu) return;
    this.path = [];
    const asking = pickValue(now, value);
    this.draft = asking;
    const ends = isLast(now) && (now.menu.pick === "number" || now.menu.pick === "path");
    let menu = ends ? null : this.store.get(orderOf(asking));
    if (menu === undefined) {
      try {
        menu = await this.store.find(orderOf(asking));
      } catch (problem) {
        if (this.draft !== asking) return;
        this.draft = takeBackPick(asking);
        this.problem = errorMessage(problem);
        this.waiting = [];
        return;
      }
      if (this.draft !== asking) return;
    }
    this.draft = offerMenu(asking, asking, menu);
    this.propose();
    if (menu === null && finish) this.finish();
    this.catchUp();
  }

  /** Fill the number field with what is proposed. */
  private propose(): void {
    const menu = this.draft?.menu;
    this.amount = menu?.pick === "number" ? proposedAmount(menu) : null;
    this.typed = false;
  }

  /** Add a digit to the number; the first one replaces what is proposed. */
  typeDigit(digit: string): boolean {
    this.amount = Number(`${this.typed && this.amount !== null ? this.amount : ""}${digit}`);
    this.typed = true;
    return true;
  }

  skip(): void {
    this.whenLoaded(() => {
      if (this.draft !== null) this.draft = skipParameter(this.draft);
    });
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
      void this.pick(this.path, true);
      return;
    }
    const beside = (a: Cell, b: Cell): boolean => {
      const [column, row] = grid.fromWritten(b);
      return grid.neighbours(...grid.fromWritten(a)).some(([right, down]) => right === column && down === row);
    };
    const path = extendPath(menu.steps, this.path, written, beside);
    if (path === null) this.message = words.play.outOfReach;
    else this.path = path;
  }

  /** Take back the last pick, or drop the order. */
  back(): void {
    this.whenLoaded(() => this.takeBack());
  }

  private takeBack(): void {
    if (this.path.length > 0) this.path = [];
    else if (this.draft !== null) this.draft = takeBackPick(this.draft);
    this.propose();
  }

  /** Drop the order, the selection, and what waits for menus. */
  cancel(): void {
    this.draft = null;
    this.path = [];
    this.cell = null;
    this.local = null;
    this.shown = null;
    this.message = "";
    this.waiting = [];
  }

  /** Give the order: with the path that is drawn, or the number in its field. */
  commit(): void {
    this.whenLoaded(() => this.finish());
  }

  private finish(): void {
    const menu = this.draft?.menu;
    if (this.question !== "") {
      this.message = this.question;
      return;
    }
    if (menu?.pick === "path" && this.path.length > 0) void this.pick(this.path, true);
    else if (menu?.pick === "number" && this.amount !== null) void this.pick(Math.min(menu.most, Math.max(menu.least, Math.round(this.amount))), true);
    else this.give();
  }

  /** The same by a click on the board, unless no number is enough: that order only its button gives. */
  private finishIfHopeful(): void {
    const menu = this.draft?.menu;
    if (menu?.pick === "number" && menu.needed != null && menu.needed > menu.most) this.message = words.play.notEnough(String(menu.needed), String(menu.most));
    else this.finish();
  }

  /** What has to be answered by `confirm` before the order is given: it harms something of the player's own. */
  get question(): string {
    const { draft, scene } = this;
    return draft !== null && scene !== null && isComplete(draft) ? questionOf(scene, draft.verb, orderOf(draft), this.seat) : "";
  }

  confirm(): void {
    this.whenLoaded(() => this.give());
  }

  /** Give the order if it is complete. */
  private give(): void {
    const now = this.draft;
    if (now === null || !isComplete(now)) return;
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
    this.cancel();
    this.menus = {};
  }

  /** Load the menus of the match as it stands now; if that fails, the earlier ones stay. */
  async refresh(): Promise<void> {
    const request = ++this.latestRequest;
    const queued = this.events.queued();
    const menus = await this.store.reload(this.draft === null ? [] : [{ do: this.draft.verb.do }]).catch(() => null);
    if (request !== this.latestRequest) return;
    this.menus = menus?.verbs ?? this.menus ?? {};
    this.resources = menus?.resources ?? this.resources;
    if (menus !== null) {
      this.general = menus;
      this.expect(queued, menus);
      await this.repeatPicks();
    }
    if (request !== this.latestRequest) return;
    this.stale = false;
    if (this.cell !== null) void this.loadCell(this.cell);
    this.catchUp();
  }

  private expect(queued: readonly Order[], { forecasts }: Menus): void {
    this.expected = new Map(queued.flatMap((order, index): [string, Forecast][] => (forecasts[index] ? [[canonicalText(order), forecasts[index]]] : [])));
  }

  /** Repeat the picks in a match that has moved on, as far as they are still possible. */
  private async repeatPicks(): Promise<void> {
    const before = this.draft;
    if (before === null) return;
    const first = this.menus?.[before.verb.do];
    let now: OrderDraft = beginOrder(before.verb, first ?? null);
    if (first === undefined) {
      this.draft = null;
      this.message = words.play.impossibleNow;
      return;
    }
    for (const { menu, value } of before.trail) {
      if (!now.menu || !isOffered(now.menu, menu.param, value)) break;
      const asking = pickValue(now, value);
      const next = await this.store.find(orderOf(asking)).catch(() => undefined);
      if (next === undefined) break;
      now = offerMenu(asking, asking, next);
    }
    if (this.draft !== before) return;
    const edited = before.menu?.pick === "number" && this.amount !== proposedAmount(before.menu) ? this.amount : null;
    this.draft = { ...now, extras: before.extras };
    this.propose();
    if (edited !== null && now.menu?.pick === "number") this.amount = edited;
  }
}
