/** What a viewer knows of one match, and the moment that is shown: scenes, frame cache, statistics of turns. */

import { errorMessage } from "../api/client";
import type { LiveSocket } from "../api/liveSocket";
import { appearance } from "../app/theme.svelte";
import type { Frame, Legend, MatchInfo, Outcome, SceneEvent } from "../api/types";
import { Scene, type Change } from "../board/scene";
import { TurnStats } from "./turnStats";
import { FrameCache } from "./frameCache";
import type { Block, FrameSource } from "./frameSource";

interface MomentOptions {
  /** Build the scene from its key frame even if the frame follows the one that is shown. */
  rebuild?: boolean;
  /** Throw if the frames cannot be loaded, instead of showing the problem. */
  strict?: boolean;
  /** The block and the index of the frame, where they are known. */
  at?: { block: Block; index: number };
  /** Milliseconds of the animation. */
  length?: number;
}

export class ViewState {
  legend = $state.raw<Legend | null>(null);
  info = $state.raw<MatchInfo | null>(null);
  scene = $state.raw<Scene | null>(null);
  outcome = $state.raw<Outcome | null>(null);
  /** Incremented whenever the scene has changed. */
  revision = $state(0);
  /** Incremented whenever the statistics have changed. */
  statsVersion = $state(0);
  turn = $state(0);
  seq = $state(0);
  first = $state(0);
  last = $state(0);
  /** Whether the newest moment of a running match is shown, and stays shown. */
  following = $state(false);
  /** The seat whose knowledge is shown; null for a spectator's. */
  viewpoint = $state<number | null>(null);
  /** The seat from which this is seen and played; null for a spectator. */
  seat = $state<number | null>(null);
  loading = $state(true);
  /** Why there is nothing to see. */
  problem = $state("");
  /** Whether the match runs and hides its board from spectators. */
  hidden = $state(false);
  /** Something worth a short notice. */
  notice = $state("");
  events = $state.raw<SceneEvent[]>([]);
  stats: TurnStats | null = null;
  /** Called with every change that may be animated, and for how many milliseconds. */
  animate: ((change: Change, length: number) => void) | null = null;

  source = $state.raw<FrameSource | null>(null);
  live = $state.raw<LiveSocket | null>(null);
  frames: FrameCache | null = null;
  /** The scene of the newest moment of a running match. */
  head: Scene | null = null;
  closed = false;
  private past: Scene | null = null;
  private seen: ReadonlySet<number> | null | undefined = undefined;
  private request = 0;

  /** The viewpoint by default: a seat's own in the fog of a running match. */
  get ownViewpoint(): number | null {
    return this.info?.fogged === true && this.info.state === "running" ? this.seat : null;
  }

  /** Whether nothing of a match with fog may be seen from here yet; the server would refuse to show it. */
  get isClosedByFog(): boolean {
    if (this.info?.fogged !== true || this.info.state !== "running" || this.seat !== null) return false;
    const { spectator_delay: delay, turn } = this.info;
    return delay === null || delay === undefined || turn < delay;
  }

  get isLive(): boolean {
    return this.live !== null && this.outcome === null;
  }

  /** Whether the moment shown is the end of the match. */
  get atEnd(): boolean {
    return this.outcome !== null && this.turn >= this.last;
  }

  /** The chunks in view; undefined before the board is laid out. */
  get chunks(): ReadonlySet<number> | null | undefined {
    return this.seen;
  }

  /** Hold these chunks and no others; null for all. */
  see(chunks: ReadonlySet<number> | null): void {
    this.seen = chunks;
    this.head?.want(chunks);
    this.past?.want(chunks);
    this.frames?.see(chunks);
    this.live?.see(chunks);
    if (!this.following && this.source !== null && chunks !== null) void this.showMoment(this.turn, this.seq, { rebuild: true });
  }

  /** For tests: the chunks that are held. */
  held(): { scene: number[]; cached: number[] } {
    return {
      scene: [...new Set([...(this.head?.chunks.keys() ?? []), ...(this.past?.chunks.keys() ?? [])])],
      cached: [...(this.frames?.heldChunks() ?? [])],
    };
  }

  setSource(source: FrameSource): void {
    this.source = source;
    this.legend = source.legend;
    this.stats ??= new TurnStats(source.legend);
    this.first = source.first;
    this.last = Math.max(this.last, source.last);
    this.frames = this.cacheFor(source, source.fogged ? this.viewpoint : null);
  }

  /** A cache of a source's frames; statistics are taken of what the match's own audience sees. */
  cacheFor(source: FrameSource, viewpoint: number | null): FrameCache {
    const cache = new FrameCache(source, viewpoint, (frames) => {
      if (!source.fogged || this.viewpoint === this.ownViewpoint) this.addStats(frames);
    });
    if (this.seen !== undefined) cache.see(this.seen);
    return cache;
  }

  async waitForSource(): Promise<void> {
    for (let tries = 0; tries < 200 && this.source === null && this.problem === ""; tries++)
      await new Promise((resolve) => setTimeout(resolve, 50));
  }

  /** Show a moment. A frame that follows the shown one is only added. */
  async showMoment(turn: number, seq: number, { rebuild = false, strict = false, at, length = 0 }: MomentOptions = {}): Promise<void> {
    const { frames, legend } = this;
    if (frames === null || legend === null) return;
    const request = ++this.request;
    let block = at?.block ?? frames.getCached(turn, seq);
    if (block === null) {
      this.loading = true;
      try {
        block = await frames.block(turn, seq);
      } catch (problem) {
        if (strict) throw problem;
        this.fail(problem);
        return;
      } finally {
        if (this.request === request) this.loading = false;
      }
    }
    if (this.request !== request || this.closed) return;
    const index = at?.index ?? indexOf(block, turn, seq);
    const frame = block.frames[index];
    if (frame === undefined) return;
    this.past ??= new Scene(legend, this.source?.names ?? []);
    this.past.teamNames = this.info?.team_names ?? [];
    if (this.seen !== undefined) this.past.want(this.seen);
    const before = block.frames[index - 1];
    const follows =
      !rebuild && this.scene === this.past && before !== undefined && this.past.turn === before.turn && this.past.seq === (before.seq ?? 0);
    const start = follows ? index : block.frames.findLastIndex((earlier, position) => position <= index && earlier.key === true);
    let change: Change | null = null;
    for (const next of block.frames.slice(Math.max(0, start), index + 1)) change = this.past.apply(next);
    this.show(this.past);
    if (change !== null) this.animateChange(change, length, follows || frame.key === true);
  }

  /** Show the newest moment, and go on with every turn. */
  showHead(head: Scene): void {
    this.request++;
    this.show(head);
  }

  show(scene: Scene): void {
    this.scene = scene;
    this.turn = scene.turn;
    this.seq = scene.seq;
    this.revision++;
  }

  animateChange(change: Change, length: number, connected: boolean): void {
    this.events = change.events;
    if (change.whole && change.events.length === 0) void this.loadEvents();
    this.animate?.(connected ? change : { ...change, moved: [], gone: [] }, appearance.still || !connected ? 0 : length);
  }

  /** Load the events of the moment that is shown: a key frame may have none. */
  async loadEvents(): Promise<void> {
    const { frames, scene, turn, seq } = this;
    if (frames === null || scene === null || turn <= this.first) return;
    const frame = await frames.leadingTo({ turn, seq }).catch(() => null);
    if (frame?.events === undefined || this.scene !== scene || this.turn !== turn || this.seq !== seq) return;
    scene.recall([frame]);
    this.events = frame.events;
  }

  addStats(frames: Frame[]): void {
    if (this.legend !== null) this.stats ??= new TurnStats(this.legend);
    this.stats?.add(frames, this.scene?.names ?? []);
    this.statsVersion++;
  }

  fail(problem: unknown): void {
    this.loading = false;
    this.problem = errorMessage(problem);
  }
}

/** The last frame up to a moment. */
export function indexOf(block: Block, turn: number, seq: number): number {
  return Math.max(
    0,
    block.frames.findLastIndex((frame) => frame.turn < turn || (frame.turn === turn && (frame.seq ?? 0) <= seq)),
  );
}
