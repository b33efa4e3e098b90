/** One seat's desk: orders are made here, sent or done at once, and what became of them is known. */

import { sentence } from "../../api/client";
import type { Acted, GameInfo, News, Order, Verb } from "../../api/types";
import type { Theater } from "../../viewer/matchViewer.svelte";
import { pieceName } from "./orderText";
import { Ledger } from "./resultsLog.svelte";
import { Maker } from "./orderBuilder.svelte";
import { Outbox } from "./outbox.svelte";
import { isFree } from "./orderQueue";

export class Desk extends Maker {
  /** What the last immediate action did, and what the pieces were called before it: some may be gone. */
  acted = $state.raw<{ acted: Acted; names: ReadonlyMap<number, string> } | null>(null);
  readonly ledger: Ledger;
  readonly outbox: Outbox;
  private turn = -1;
  private seq = -1;

  constructor(
    id: string,
    seat: number,
    theater: Theater,
    readonly game: GameInfo,
  ) {
    super(id, seat, theater);
    this.ledger = new Ledger(id, seat);
    this.outbox = new Outbox(id, seat, theater, game.merging);
    theater.heard = (news) => void this.hear(news);
  }

  close(): void {
    this.outbox.close();
    this.theater.heard = null;
  }

  /** Whether the seat lost everything that could give orders. */
  get isOut(): boolean {
    void this.theater.revision;
    const alive = this.scene?.players[this.seat]?.[0];
    return alive === 0 && this.menus !== null && Object.keys(this.menus).length === 0;
  }

  /** Take the last order back. */
  takeBack(): void {
    if (!this.outbox.takeBack()) this.said = this.outbox.queue.length === 0 ? "There is no order to take back." : "What is sent cannot be taken back in this game.";
  }

  protected override give(verb: Verb, order: Order): void {
    if (verb.when === "now") void this.act(order);
    else {
      this.outbox.add(order);
      this.said = isFree(this.game.merging) ? "The order is given." : "The order waits to be sent.";
    }
  }

  protected override hush(): void {
    super.hush();
    this.outbox.problem = "";
  }

  private async act(order: Order): Promise<void> {
    this.stale = true;
    const { scene } = this;
    const names = new Map([...(scene?.pieces.keys() ?? [])].map((id) => [id, pieceName(scene, id)]));
    try {
      const answer = await this.theater.live?.ask({ type: "act", order });
      const acted = answer?.acted ?? null;
      if (acted === null) return;
      this.ledger.note(acted.turn, [acted.result]);
      if (acted.result.ok) {
        this.acted = { acted, names };
      } else this.problem = acted.result.sentence;
    } catch (problem) {
      this.problem = sentence(problem);
    } finally {
      void this.look();
    }
  }

  private async hear(news: News): Promise<void> {
    if (news.state !== "running") {
      this.composing = null;
      this.menus = {};
      if (news.results) this.ledger.set(news.turn - 1, news.results, news.late === true);
      return;
    }
    const turned = news.turn !== this.turn;
    if (!turned && news.seq === this.seq) return;
    const passed = news.turn - this.turn;
    this.turn = news.turn;
    this.seq = news.seq;
    this.stale = true;
    if (turned) {
      this.acted = null;
      this.shown = null;
      if (news.results && passed === 1) this.ledger.set(news.turn - 1, news.results, news.late === true);
      await this.outbox.turned(news.turn);
      if (this.turn !== news.turn) return;
    }
    await this.look();
  }
}
