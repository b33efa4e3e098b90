/** One match on the stage: a running one is listened to, a finished one or a film is read. */

import { api, Refusal } from "../api/client";
import { LiveSocket, type Connection } from "../api/liveSocket";
import type { Legend, News, Outcome, Result } from "../api/types";
import { Scene } from "../board/scene";
import { GLIDE, Playhead } from "./playback.svelte";
import { ServerSource, type Source } from "./frameSource";

/** Milliseconds after which a match that has not started, or that could not be asked for, is looked at again. */
const LOOK = 2000;

export class Theater extends Playhead {
  connection = $state<Connection | "none">("none");
  closes = $state<number | null>(null);
  /** What the server's clock is ahead of ours, in seconds. */
  ahead = 0;
  results = $state.raw<Result[]>([]);
  /** Called with everything that comes from a running match. */
  heard: ((news: News) => void) | null = null;
  private polling: ReturnType<typeof setTimeout> | undefined;

  /** A match of the server: live if it runs, else as it was. From a seat, in the fog, with what that seat knows. */
  async openMatch(id: string, turn: number | null, eyes: number | null, seat: number | null = null): Promise<void> {
    const again = (): void => void (this.polling = setTimeout(() => void this.openMatch(id, turn, eyes, seat), LOOK));
    try {
      this.info = await api.match(id);
      if (this.ended) return;
      this.problem = "";
      if (this.info.state === "lobby") {
        this.loading = false;
        again();
        return;
      }
      this.seat = seat;
      this.eyes = eyes ?? this.own;
      this.outcome = this.info.outcome;
      this.ahead = this.info.now - Date.now() / 1000;
      if (this.info.state === "running") this.listen(id);
      else await this.prepareServer(id, await api.legend(id));
      if (turn !== null) {
        await this.waitForSource();
        await this.go(turn);
      } else if (this.info.state !== "running") await this.go(this.last);
    } catch (problem) {
      this.fail(problem);
      if (problem instanceof Refusal && problem.error === "offline" && this.source === null && !this.ended) again();
    }
  }

  /** A film that is here already. */
  async openSource(source: Source, turn: number | null = null): Promise<void> {
    this.adopt(source);
    this.outcome = source.outcome;
    await this.go(turn ?? source.first);
    void this.readAll();
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    clearTimeout(this.polling);
    this.live?.close();
  }

  private listen(id: string): void {
    this.live = new LiveSocket({
      match: id,
      seat: this.seat,
      want: this.seat === null ? ["frames"] : ["frames", "results"],
      hello: (hello) => void this.greeted(id, hello.legend),
      news: (news) => this.take(id, news),
      connection: (state, why) => {
        this.connection = state;
        if (state === "closed") this.problem = why;
      },
    });
  }

  private async greeted(id: string, legend: Legend): Promise<void> {
    if (this.source !== null) return;
    this.head = new Scene(legend);
    this.legend = legend;
    this.following = true;
    this.scene = this.head;
    this.live?.see(this.chunks === undefined ? new Set() : this.chunks);
    await this.prepareServer(id, legend).catch((problem: unknown) => this.fail(problem));
  }

  private async prepareServer(id: string, legend: Legend): Promise<void> {
    const info = this.info;
    if (info === null) return;
    try {
      const [start] = await api.frames(id, { from: 0, count: 1, chunks: [], seat: this.own });
      const names = start?.names ?? info.seats.map((seat) => seat.name ?? "");
      const source = new ServerSource(id, legend, names, start?.turn ?? 0, Math.max(this.last, info.turn), info.fogged);
      source.outcome = this.outcome;
      this.adopt(source);
      void this.readAll();
    } catch (problem) {
      if (problem instanceof Refusal && problem.error === "hidden") {
        this.problem = problem.message;
        this.loading = false;
      } else throw problem;
    }
  }

  private take(id: string, news: News): void {
    this.ahead = news.now - Date.now() / 1000;
    this.closes = news.closes ?? null;
    if (news.results) this.results = news.results;
    if (news.frame && this.head !== null) {
      const fresh = news.frame.turn !== this.head.turn || (news.frame.seq ?? 0) !== this.head.seq;
      const change = this.head.apply(news.frame);
      this.problem = "";
      this.loading = false;
      this.last = Math.max(this.last, news.frame.turn);
      if (this.source !== null) this.source.last = this.last;
      this.note([news.frame]);
      if (this.following) {
        this.settle(this.head);
        if (fresh) this.show(change, GLIDE, !change.whole);
      }
    }
    if (news.late) this.chronicle?.missed(news.turn - 1, "you");
    if (this.info !== null) this.info = { ...this.info, state: news.state, turn: news.turn };
    if (news.outcome) this.end(id, news.outcome);
    this.heard?.(news);
  }

  /** The match is over: nothing is left to follow, and what was hidden may be seen. */
  private end(id: string, outcome: Outcome): void {
    this.outcome = outcome;
    this.following = false;
    if (this.source instanceof ServerSource) this.source.outcome = outcome;
    else if (this.legend !== null && this.problem !== "") {
      this.problem = "";
      void this.prepareServer(id, this.legend).then(() => this.go(this.last)).catch((problem: unknown) => this.fail(problem));
    }
  }

  /** On small boards, read the whole match bit by bit: its charts and marks then cover all of it. */
  private async readAll(): Promise<void> {
    const { source, film } = this;
    if (source === null || film === null || source.legend.board.size > 12_000 || source.last - source.first > 3000) return;
    let turn = source.first;
    while (turn < source.last && !this.ended && this.film === film) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      const block = await film.block(turn, 0).catch(() => null);
      const reached = block?.frames.at(-1)?.turn ?? source.last;
      turn = Math.max(turn + 1, reached + (source instanceof ServerSource ? 0 : 1));
    }
  }
}
