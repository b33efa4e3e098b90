/** Shows one match: a running one over its WebSocket, a finished one or a replay file from its frames. */

import { api, Refusal } from "../api/client";
import { LiveSocket, type Connection } from "../api/liveSocket";
import type { Legend, News, Outcome, Result } from "../api/types";
import { Scene } from "../board/scene";
import { ServerSource, type FrameSource } from "./frameSource";
import { GLIDE, Playback } from "./playback.svelte";
import { ViewState } from "./viewState.svelte";

/** Milliseconds between two requests for a match that has not started or could not be reached. */
const POLL = 2000;
/** Matches up to this size are read as a whole, so that charts and marks cover all turns. */
const MOST_CELLS_READ = 12_000;
const MOST_TURNS_READ = 3000;

export class MatchViewer {
  readonly view = new ViewState();
  readonly playback = new Playback(this.view);
  connection = $state<Connection | "none">("none");
  closes = $state<number | null>(null);
  /** How far the server's clock is ahead, in seconds. */
  ahead = 0;
  results = $state.raw<Result[]>([]);
  /** Called with everything that comes from a running match. */
  onNews: ((news: News) => void) | null = null;
  /** Incremented whenever the match is read again. */
  private reading = 0;
  private polling: ReturnType<typeof setTimeout> | undefined;

  /** Open a match of the server, live if it runs. From a seat, in the fog, with what that seat knows. */
  async openMatch(id: string, turn: number | null, viewpoint: number | null, seat: number | null = null): Promise<void> {
    const { view } = this;
    const again = (): void => void (this.polling = setTimeout(() => void this.openMatch(id, turn, viewpoint, seat), POLL));
    try {
      const info = await api.match(id);
      view.info = info;
      if (view.closed) return;
      view.problem = "";
      if (info.state === "lobby") {
        view.loading = false;
        again();
        return;
      }
      view.seat = seat;
      view.viewpoint = viewpoint ?? view.ownViewpoint;
      view.outcome = info.outcome;
      this.ahead = info.now - Date.now() / 1000;
      if (info.state === "running") this.listen(id);
      else await this.openFrames(id, await api.legend(id));
      if (turn !== null) {
        await view.waitForSource();
        await this.playback.go(turn);
      } else if (view.info.state !== "running") await this.playback.go(view.last);
    } catch (problem) {
      view.fail(problem);
      if (problem instanceof Refusal && problem.error === "offline" && view.source === null && !view.closed) again();
    }
  }

  /** Open frames that need no server. */
  async openSource(source: FrameSource, turn: number | null = null): Promise<void> {
    this.view.setSource(source);
    this.view.outcome = source.outcome;
    await this.playback.go(turn ?? source.first);
    void this.readAll();
  }

  close(): void {
    this.view.closed = true;
    this.playback.stop();
    clearTimeout(this.polling);
    this.view.live?.close();
  }

  private listen(id: string): void {
    const { view } = this;
    view.live = new LiveSocket({
      match: id,
      seat: view.seat,
      want: view.seat === null ? ["frames"] : ["frames", "results"],
      hello: ({ legend }) => {
        if (legend !== null) void this.start(id, legend);
      },
      news: (news) => this.receive(id, news),
      connection: (state, why) => {
        const returned = state === "open" && view.source !== null;
        this.connection = state;
        if (state === "closed") view.problem = why;
        if (returned) void this.readAll(); // what could not be loaded during an outage
      },
    });
  }

  /** The socket is open for the first time; after a reconnect everything is loaded already. */
  private async start(id: string, legend: Legend): Promise<void> {
    const { view } = this;
    if (view.source !== null) return;
    view.head = new Scene(legend);
    view.head.teamNames = view.info?.team_names ?? [];
    view.legend = legend;
    view.following = true;
    view.scene = view.head;
    view.live?.see(view.chunks === undefined ? new Set() : view.chunks);
    await this.openFrames(id, legend).catch((problem: unknown) => view.fail(problem));
  }

  private async openFrames(id: string, legend: Legend): Promise<void> {
    const { view } = this;
    const { info } = view;
    if (info === null) return;
    if (view.isClosedByFog) {
      view.hidden = true;
      view.loading = false;
      return;
    }
    try {
      const [start] = await api.frames(id, { from: 0, count: 1, chunks: [], seat: view.ownViewpoint });
      const names = start?.names ?? info.seats.map((seat) => seat.name ?? "");
      const source = new ServerSource(id, legend, names, start?.turn ?? 0, Math.max(view.last, info.turn), info.fogged);
      source.outcome = view.outcome;
      view.setSource(source);
      if (view.following && view.events.length === 0) void view.loadEvents();
      void this.readAll();
    } catch (problem) {
      if (!(problem instanceof Refusal) || problem.error !== "hidden") throw problem;
      view.hidden = true;
      view.loading = false;
    }
  }

  private receive(id: string, news: News): void {
    const { view } = this;
    this.ahead = news.now - Date.now() / 1000;
    this.closes = news.closes ?? null;
    if (news.results) this.results = news.results;
    if (news.frame && view.head !== null) {
      const fresh = news.frame.turn !== view.head.turn || (news.frame.seq ?? 0) !== view.head.seq;
      const missed = news.frame.turn > view.head.turn + 1;
      const change = view.head.apply(news.frame);
      view.problem = "";
      view.hidden = false;
      view.loading = false;
      view.last = Math.max(view.last, news.frame.turn);
      if (view.source !== null) view.source.last = view.last;
      view.addStats([news.frame]);
      if (missed) void this.readAll();
      if (view.following) {
        view.show(view.head);
        if (fresh) view.animateChange(change, GLIDE, !change.whole);
      }
    }
    if (news.late) view.stats?.addMissed(news.turn - 1, "you");
    if (view.info !== null) view.info = { ...view.info, state: news.state, turn: news.turn };
    if (news.outcome) this.end(id, news.outcome);
    this.onNews?.(news);
  }

  /** The match is over: there is nothing to follow, and what was hidden may be shown. */
  private end(id: string, outcome: Outcome): void {
    const { view } = this;
    view.outcome = outcome;
    view.following = false;
    if (view.source instanceof ServerSource) view.source.outcome = outcome;
    else if (view.legend !== null && view.hidden) {
      view.hidden = false;
      void this.openFrames(id, view.legend).then(() => this.playback.go(view.last)).catch((problem: unknown) => view.fail(problem));
    }
  }

  /**
   * Read a small match block by block: its charts and marks then cover all of it. After an outage only blocks are loaded
   * that are missing or end before the newest turn.
   */
  private async readAll(): Promise<void> {
    const { view } = this;
    const { source, frames } = view;
    if (source === null || frames === null || source.legend.board.size > MOST_CELLS_READ || source.last - source.first > MOST_TURNS_READ) return;
    const reading = ++this.reading;
    let turn = source.first;
    while (turn < source.last && !view.closed && view.frames === frames && reading === this.reading) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      const block = await frames.block(turn, 0).catch(() => null);
      if (block === null) return;
      const reached = block.frames.at(-1)?.turn ?? source.last;
      turn = Math.max(turn + 1, reached + (source instanceof ServerSource ? 0 : 1));
    }
  }
}
