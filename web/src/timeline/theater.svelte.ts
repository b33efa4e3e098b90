/** One match on the stage: which moment is shown, how it plays on, and through whose eyes. */

import { api, Refusal, sentence } from "../lib/api";
import { LiveSocket, type Connection } from "../lib/live";
import { appearance } from "../lib/theme.svelte";
import type { Frame, Legend, MatchInfo, News, Outcome, Result, SceneEvent } from "../lib/types";
import { Scene, type Change } from "../board/scene";
import { Chronicle } from "./chronicle";
import { Film } from "./film";
import { ServerSource, type Block, type Source } from "./source";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, Infinity] as const;
/** Milliseconds a turn at normal speed. */
const PACE = 400;
const GLIDE = 180;
/** Milliseconds after which a match that has not started, or that could not be asked for, is looked at again. */
const LOOK = 2000;

export class Theater {
  legend = $state.raw<Legend | null>(null);
  info = $state.raw<MatchInfo | null>(null);
  scene = $state.raw<Scene | null>(null);
  outcome = $state.raw<Outcome | null>(null);
  /** Raised whenever the scene has changed. */
  revision = $state(0);
  /** Raised whenever more is known about other turns. */
  chronicled = $state(0);
  turn = $state(0);
  seq = $state(0);
  first = $state(0);
  last = $state(0);
  /** Whether the moment shown is the match as it stands, and stays so. */
  following = $state(false);
  playing = $state(false);
  speed = $state<number>(1);
  eyes = $state<number | null>(null);
  /** The seat from which this is seen and played; null for a spectator. */
  seat = $state<number | null>(null);
  loading = $state(true);
  /** Why there is nothing to see. */
  problem = $state("");
  /** Something worth a short notice. */
  notice = $state("");
  connection = $state<Connection | "none">("none");
  closes = $state<number | null>(null);
  /** What the server's clock is ahead of ours, in seconds. */
  ahead = 0;
  events = $state.raw<SceneEvent[]>([]);
  results = $state.raw<Result[]>([]);
  chronicle: Chronicle | null = null;
  /** Called with every change that may be shown moving, and for how long. */
  animate: ((change: Change, length: number) => void) | null = null;
  /** Called with everything that comes from a running match. */
  heard: ((news: News) => void) | null = null;

  source = $state.raw<Source | null>(null);
  live = $state.raw<LiveSocket | null>(null);
  private film: Film | null = null;
  private head: Scene | null = null;
  private past: Scene | null = null;
  private chunks: ReadonlySet<number> | null | undefined = undefined;
  private wanted = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private polling: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

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

  // ------------------------------------------------------------ what is looked at

  see(chunks: Set<number> | null): void {
    this.chunks = chunks;
    this.head?.want(chunks);
    this.past?.want(chunks);
    this.film?.see(chunks);
    this.live?.see(chunks);
    if (!this.following && this.source !== null && chunks !== null) void this.showMoment(this.turn, this.seq, true);
  }

  /** Look through a seat's eyes; null sees all. */
  async look(eyes: number | null): Promise<void> {
    if (this.source === null || (eyes !== null && eyes >= (this.scene?.players.length ?? 0))) return;
    const before = this.eyes;
    this.eyes = eyes === null || eyes === before ? this.own : eyes;
    if (this.eyes === before) return;
    if (!this.source.fogged) {
      this.revision++;
      return;
    }
    const film = this.film;
    this.film = new Film(this.source, this.eyes, (frames) => {
      if (this.eyes === this.own) this.note(frames); // one player's knowledge is no chronicle, but one's own
    });
    this.film.see(this.chunks ?? null);
    this.following = false;
    try {
      await this.showMoment(this.turn, 0, true, true);
    } catch (problem) {
      this.film = film;
      this.eyes = before;
      this.notice = problem instanceof Refusal ? problem.message : "This cannot be shown.";
    }
  }

  /** For tests: what the page holds. */
  held(): { scene: number[]; film: number[] } {
    return {
      scene: [...new Set([...(this.head?.chunks.keys() ?? []), ...(this.past?.chunks.keys() ?? [])])],
      film: [...(this.film?.heldChunks() ?? [])],
    };
  }

  // ------------------------------------------------------------ moving in time

  async go(turn: number, seq = 0): Promise<void> {
    await this.waitForSource(); // whoever is quick asks before the past is at hand
    const wanted = Math.min(this.last, Math.max(this.first, Math.round(turn)));
    if (this.isLive && wanted >= this.last && this.eyes === this.own) this.follow();
    else {
      this.following = false;
      await this.showMoment(wanted, seq).catch((problem: unknown) => this.fail(problem));
    }
  }

  async step(count: number): Promise<void> {
    this.pause();
    await this.waitForSource();
    if (Math.abs(count) > 1) await this.go(this.turn + count);
    else if (count > 0) await this.forward(GLIDE);
    else await this.back();
  }

  toggle(): void {
    if (this.following || this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.source === null) return;
    if (this.turn >= this.last && !this.isLive) void this.go(this.first).then(() => this.start());
    else this.start();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.timer);
    if (this.following) {
      this.following = false;
      void this.showMoment(this.turn, this.seq);
    }
  }

  faster(steps: number): void {
    const index = SPEEDS.indexOf(this.speed as (typeof SPEEDS)[number]);
    this.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, index + steps))] ?? 1;
  }

  /** Show the match as it stands, from now on. */
  follow(): void {
    if (this.head === null || !this.isLive) return;
    clearTimeout(this.timer);
    this.playing = false;
    this.following = true;
    this.wanted++;
    this.settle(this.head);
  }

  /** The eyes with which one looks as a matter of course. */
  private get own(): number | null {
    return this.info?.fogged === true && this.info.state === "running" ? this.seat : null;
  }

  get isLive(): boolean {
    return this.live !== null && this.outcome === null;
  }

  // ------------------------------------------------------------ inside

  private start(): void {
    this.playing = true;
    const tick = async (): Promise<void> => {
      if (!this.playing || this.ended) return;
      const began = performance.now();
      const pace = PACE / this.speed;
      const went = await this.forward(pace >= 120 ? Math.min(GLIDE, pace * 0.8) : 0).catch(() => false);
      if (!went) {
        this.playing = false;
        if (this.isLive) this.follow();
        return;
      }
      if (this.playing) this.timer = setTimeout(() => void tick(), Math.max(0, pace - (performance.now() - began)));
    };
    this.timer = setTimeout(() => void tick(), 0);
  }

  private async forward(length: number): Promise<boolean> {
    if (this.film === null) return false;
    const block = await this.film.block(this.turn, this.seq);
    const index = indexOf(block, this.turn, this.seq);
    const next = block.frames[index + 1];
    if (next !== undefined) {
      await this.showMoment(next.turn, next.seq ?? 0, false, false, block, index + 1, length);
      this.film.prepare(next.turn + 12);
      return true;
    }
    if (this.turn >= this.last) return false;
    await this.showMoment(this.turn + 1, 0, false, false, null, -1, length);
    return true;
  }

  private async back(): Promise<void> {
    if (this.film === null) return;
    const block = await this.film.block(this.turn, this.seq);
    const index = indexOf(block, this.turn, this.seq);
    const before = block.frames[index - 1];
    this.following = false;
    if (before !== undefined) await this.showMoment(before.turn, before.seq ?? 0);
    else if (this.turn > this.first) {
      const earlier = await this.film.block(this.turn - 1, Number.MAX_SAFE_INTEGER);
      const frame = earlier.frames.filter((one) => one.turn < this.turn).at(-1);
      await this.showMoment(frame?.turn ?? this.turn - 1, frame?.seq ?? 0);
    }
    this.film.prepare(this.turn - 12);
  }

  /** Show a moment. Without `anew`, a frame that follows the shown one is only added. */
  private async showMoment(
    turn: number,
    seq: number,
    anew = false,
    strict = false,
    given: Block | null = null,
    givenIndex = -1,
    length = 0,
  ): Promise<void> {
    const { film, legend } = this;
    if (film === null || legend === null) return;
    const request = ++this.wanted;
    let block = given ?? film.now(turn, seq);
    if (block === null) {
      this.loading = true;
      try {
        block = await film.block(turn, seq);
      } catch (problem) {
        if (strict) throw problem;
        this.fail(problem);
        return;
      } finally {
        if (this.wanted === request) this.loading = false;
      }
    }
    if (this.wanted !== request || this.ended) return;
    const index = givenIndex >= 0 ? givenIndex : indexOf(block, turn, seq);
    const frame = block.frames[index];
    if (frame === undefined) return;
    this.past ??= new Scene(legend, this.source?.names ?? []);
    if (this.chunks !== undefined) this.past.want(this.chunks);
    const before = block.frames[index - 1];
    const follows =
      !anew && this.scene === this.past && before !== undefined && this.past.turn === before.turn && this.past.seq === (before.seq ?? 0);
    const start = follows ? index : block.frames.findLastIndex((one, at) => at <= index && one.key === true);
    let change: Change | null = null;
    for (const one of block.frames.slice(Math.max(0, start), index + 1)) change = this.past.apply(one);
    this.settle(this.past);
    if (change !== null) this.show(change, length, follows || frame.key === true);
  }

  private show(change: Change, length: number, connected: boolean): void {
    this.events = change.events;
    this.animate?.(connected ? change : { ...change, moved: [], gone: [] }, appearance.still || !connected ? 0 : length);
  }

  private settle(scene: Scene): void {
    this.scene = scene;
    this.turn = scene.turn;
    this.seq = scene.seq;
    this.revision++;
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

  private adopt(source: Source): void {
    this.source = source;
    this.legend = source.legend;
    this.chronicle ??= new Chronicle(source.legend);
    this.first = source.first;
    this.last = Math.max(this.last, source.last);
    this.film = new Film(source, source.fogged ? this.eyes : null, (frames) => {
      if (this.eyes === this.own || !source.fogged) this.note(frames);
    });
    if (this.chunks !== undefined) this.film.see(this.chunks);
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

  private note(frames: Frame[]): void {
    if (this.legend !== null) this.chronicle ??= new Chronicle(this.legend);
    this.chronicle?.note(frames, this.scene?.names ?? []);
    this.chronicled++;
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

  private async waitForSource(): Promise<void> {
    for (let tries = 0; tries < 200 && this.source === null && this.problem === ""; tries++)
      await new Promise((resolve) => setTimeout(resolve, 50));
  }

  private fail(problem: unknown): void {
    this.loading = false;
    this.problem = sentence(problem);
  }
}

/** The last frame up to a moment. */
function indexOf(block: Block, turn: number, seq: number): number {
  return Math.max(
    0,
    block.frames.findLastIndex((frame) => frame.turn < turn || (frame.turn === turn && (frame.seq ?? 0) <= seq)),
  );
}
