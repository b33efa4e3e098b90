/** One seat in a running match: orders are built, sent or carried out at once, and their results recorded. */

import { errorMessage } from "../../api/client";
import type { Order } from "../../api/orders";
import type { ActResult, GameInfo, News, SceneEvent, Verb } from "../../api/types";
import type { Moment } from "../../viewer/frameCache";
import type { MatchViewer } from "../../viewer/matchViewer.svelte";
import { gameWords } from "../../app/sentences";
import { words } from "../../i18n";
import { OrderBuilder } from "./orderBuilder.svelte";
import { isFree } from "./orderQueue";
import { orderOf, type OrderDraft } from "./orderDraft";
import { pieceName, resultText, shapeOf, subjectOf, verbOf, wordsOf } from "./orderText";
import { Outbox } from "./outbox.svelte";
import { ResultsLog } from "./resultsLog.svelte";
import { isLater, visits } from "./visits";

export class PlaySession {
  /** What the last immediate action did. */
  acted = $state.raw<ActResult | null>(null);
  /** What happened since the moment at which the player looked last. */
  missed = $state.raw<(Moment & { events: SceneEvent[] }) | null>(null);
  readonly builder: OrderBuilder;
  readonly results: ResultsLog;
  readonly outbox: Outbox;
  /** The order that is being made of which the player was warned. */
  private warned = $state.raw<OrderDraft | null>(null);
  private turn = -1;
  private seq = -1;
  private readonly look = (): void => this.noteVisit();

  constructor(
    private readonly id: string,
    readonly seat: number,
    readonly viewer: MatchViewer,
    readonly game: GameInfo,
  ) {
    this.results = new ResultsLog(id, seat);
    this.outbox = new Outbox(id, seat, viewer, game.merging, () => this.countOrders());
    this.builder = new OrderBuilder(id, seat, viewer, {
      give: (verb, order) => this.give(verb, order),
      restart: () => (this.outbox.problem = ""),
      queued: () => this.outbox.queue.map(({ order }) => order),
    });
    viewer.onNews = (news) => void this.receive(news);
    document.addEventListener("visibilitychange", this.look);
  }

  close(): void {
    this.outbox.close();
    this.viewer.onNews = null;
    document.removeEventListener("visibilitychange", this.look);
  }

  /** Whether the seat lost everything that could give orders. */
  get isOut(): boolean {
    const { view } = this.viewer;
    void view.revision;
    const { menus } = this.builder;
    return view.scene?.players[this.seat]?.[0] === 0 && menus !== null && Object.keys(menus).length === 0;
  }

  /** Say that no more orders follow; an order that is not complete has to be dropped first, by a second call. */
  declareReady(): void {
    const { draft } = this.builder;
    if (draft !== null && this.warned !== draft) {
      this.warned = draft;
      const { verb, rest } = wordsOf(this.builder.scene, draft.verb, orderOf(draft));
      this.builder.message = words.play.unfinished(`${verb} ${rest}`.trim());
      return;
    }
    this.builder.cancel();
    void this.outbox.send(true);
  }

  /** Whether the player was warned about the order that is being made. */
  get isWarned(): boolean {
    return this.builder.draft !== null && this.warned === this.builder.draft;
  }

  /** The names of other players for whom the turn waits. */
  get waitingFor(): readonly string[] {
    const { view } = this.viewer;
    const names = this.outbox.awaited.filter((seat) => seat !== this.seat).map((seat) => view.info?.seats[seat]?.name || words.play.seat(seat));
    return this.outbox.ready ? names : [];
  }

  /** The pieces that have orders this turn. */
  get orderedPieces(): readonly number[] {
    return this.outbox.queue.flatMap(({ order }) => subjectOf(this.builder.verbs, order) ?? []);
  }

  /** Pieces of this seat that are sent to the same cell, as a warning; empty if there are none. */
  get collision(): string {
    const { scene, verbs } = this.builder;
    void this.viewer.view.revision;
    if (scene === null) return "";
    const byEnd = new Map<string, Map<number, string>>();
    for (const { order } of this.outbox.queue) {
      const verb = verbOf(verbs, order);
      const piece = subjectOf(verbs, order);
      if (verb === null || piece === null || verb.harms === "target") continue;
      const { path, leads } = shapeOf(scene, verb, order);
      const end = leads ? path.at(-1) : undefined;
      if (end === undefined) continue;
      const cell = scene.grid.toWritten(...end).join(", ");
      byEnd.set(cell, new Map(byEnd.get(cell)).set(piece, pieceName(scene, piece)));
    }
    const [cell, pieces] = [...byEnd].find(([, found]) => found.size > 1) ?? [];
    return cell === undefined || pieces === undefined ? "" : words.play.samePlace([...pieces.values()].join(` ${gameWords(scene.legend).phrase("and")} `), cell);
  }

  /** Take the last order back. */
  takeBack(): void {
    if (!this.outbox.takeBack())
      this.builder.message = this.outbox.queue.length === 0 ? words.play.nothingToTakeBack : words.play.sentStays;
  }

  /** Menus depend on what the orders of this turn leave to pay with. */
  private countOrders(): void {
    if (this.builder.resources.length === 0) return;
    this.builder.markStale();
    void this.builder.refresh();
  }

  private give(verb: Verb, order: Order): void {
    if (verb.when === "now") void this.act(order);
    else {
      this.outbox.add(order);
      this.builder.message = isFree(this.game.merging) ? words.play.given : words.play.notSent;
    }
  }

  private async act(order: Order): Promise<void> {
    const { builder } = this;
    const { live, scene } = this.viewer.view;
    builder.markStale();
    try {
      const answer = await live?.ask({ type: "act", order });
      const acted = answer?.acted ?? null;
      if (acted === null) return;
      this.results.add(acted.turn, [acted.result]);
      if (acted.result.ok) this.acted = acted;
      else builder.problem = scene === null ? acted.result.sentence : resultText(scene, verbOf(this.builder.verbs, order), acted.result);
    } catch (problem) {
      builder.problem = errorMessage(problem);
    } finally {
      void builder.refresh();
    }
  }

  private async receive(news: News): Promise<void> {
    const { builder } = this;
    if (news.state !== "running") {
      builder.end();
      this.results.receive(news);
      return;
    }
    const turned = news.turn !== this.turn;
    if (!turned && news.seq === this.seq) return;
    const passed = news.turn - this.turn;
    this.turn = news.turn;
    this.seq = news.seq;
    this.noteVisit();
    builder.markStale();
    if (turned) {
      this.acted = null;
      builder.shown = null;
      if (passed === 1) this.results.receive(news);
      await this.outbox.startTurn(news.turn);
      if (this.turn !== news.turn) return;
    }
    await builder.refresh();
  }

  /** Remember the moment that the player sees; if much happened since the last one, collect it. */
  private noteVisit(): void {
    if (document.visibilityState !== "visible" || this.turn < 0) return;
    const now: Moment = { turn: this.turn, seq: this.seq };
    const last = visits.load(this.id, this.seat);
    visits.save(this.id, this.seat, now);
    if (last !== null && isLater(now, last)) void this.collectMissed(last, now);
  }

  /** One turn is what the panel of events shows; more than that, or actions of others in between, are summed up. */
  private async collectMissed(since: Moment, now: Moment): Promise<void> {
    const { view } = this.viewer;
    await view.waitForSource();
    const frames = (await view.frames?.between(since, now).catch(() => [])) ?? [];
    if (frames.length < 2) return;
    view.scene?.recall(frames);
    const events = frames.flatMap((frame) => frame.events ?? []);
    if (events.length > 0) this.missed = { ...since, events };
  }
}
