/** What is on the stage: the scenes of one match, the film behind them, and the moment that they show. */

import { sentence } from "../api/client";
import type { LiveSocket } from "../api/liveSocket";
import { appearance } from "../app/theme.svelte";
import type { Frame, Legend, MatchInfo, Outcome, SceneEvent } from "../api/types";
import { Scene, type Change } from "../board/scene";
import { Chronicle } from "./turnStats";
import { Film } from "./frameCache";
import type { Block, Source } from "./frameSource";

export abstract class Stage {
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
  eyes = $state<number | null>(null);
  /** The seat from which this is seen and played; null for a spectator. */
  seat = $state<number | null>(null);
  loading = $state(true);
  /** Why there is nothing to see. */
  problem = $state("");
  /** Something worth a short notice. */
  notice = $state("");
  events = $state.raw<SceneEvent[]>([]);
  chronicle: Chronicle | null = null;
  /** Called with every change that may be shown moving, and for how long. */
  animate: ((change: Change, length: number) => void) | null = null;

  source = $state.raw<Source | null>(null);
  live = $state.raw<LiveSocket | null>(null);
  protected film: Film | null = null;
  protected head: Scene | null = null;
  protected past: Scene | null = null;
  protected chunks: ReadonlySet<number> | null | undefined = undefined;
  protected wanted = 0;
  protected ended = false;

  /** The eyes with which one looks as a matter of course. */
  protected get own(): number | null {
    return this.info?.fogged === true && this.info.state === "running" ? this.seat : null;
  }

  get isLive(): boolean {
    return this.live !== null && this.outcome === null;
  }

  /** Whether the moment shown is the one that decided it. */
  get atEnd(): boolean {
    return this.outcome !== null && this.turn >= this.last;
  }

  see(chunks: Set<number> | null): void {
    this.chunks = chunks;
    this.head?.want(chunks);
    this.past?.want(chunks);
    this.film?.see(chunks);
    this.live?.see(chunks);
    if (!this.following && this.source !== null && chunks !== null) void this.showMoment(this.turn, this.seq, true);
  }

  /** For tests: what the page holds. */
  held(): { scene: number[]; film: number[] } {
    return {
      scene: [...new Set([...(this.head?.chunks.keys() ?? []), ...(this.past?.chunks.keys() ?? [])])],
      film: [...(this.film?.heldChunks() ?? [])],
    };
  }

  protected adopt(source: Source): void {
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

  /** Show a moment. Without `anew`, a frame that follows the shown one is only added. */
  protected async showMoment(
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

  protected show(change: Change, length: number, connected: boolean): void {
    this.events = change.events;
    this.animate?.(connected ? change : { ...change, moved: [], gone: [] }, appearance.still || !connected ? 0 : length);
  }

  protected settle(scene: Scene): void {
    this.scene = scene;
    this.turn = scene.turn;
    this.seq = scene.seq;
    this.revision++;
  }

  protected note(frames: Frame[]): void {
    if (this.legend !== null) this.chronicle ??= new Chronicle(this.legend);
    this.chronicle?.note(frames, this.scene?.names ?? []);
    this.chronicled++;
  }

  protected fail(problem: unknown): void {
    this.loading = false;
    this.problem = sentence(problem);
  }
}

/** The last frame up to a moment. */
export function indexOf(block: Block, turn: number, seq: number): number {
  return Math.max(
    0,
    block.frames.findLastIndex((frame) => frame.turn < turn || (frame.turn === turn && (frame.seq ?? 0) <= seq)),
  );
}
