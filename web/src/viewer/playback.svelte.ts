/** Moves a view in time: go to a moment, step, play at some speed, follow a running match; and changes the viewpoint. */

import { Refusal } from "../api/client";
import { indexOf, type ViewState } from "./viewState.svelte";
import { words } from "../i18n";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, Infinity] as const;
/** Milliseconds a turn at normal speed. */
const PACE = 400;
/** Milliseconds of an animation. */
export const GLIDE = 180;
/** Turns ahead whose frames are loaded before they are needed. */
const PREFETCH = 12;

export class Playback {
  playing = $state(false);
  speed = $state<number>(1);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly view: ViewState) {}

  async go(turn: number, seq = 0): Promise<void> {
    const { view } = this;
    await view.waitForSource(); // a link may ask for a turn before past turns can be loaded
    const wanted = Math.min(view.last, Math.max(view.first, Math.round(turn)));
    if (view.isLive && wanted >= view.last && view.viewpoint === view.ownViewpoint) this.follow();
    else {
      view.following = false;
      await view.showMoment(wanted, seq).catch((problem: unknown) => view.fail(problem));
    }
  }

  async step(count: number): Promise<void> {
    this.pause();
    await this.view.waitForSource();
    if (Math.abs(count) > 1) await this.go(this.view.turn + count);
    else if (count > 0) await this.forward(GLIDE);
    else await this.back();
  }

  toggle(): void {
    if (this.view.following || this.playing) this.pause();
    else this.play();
  }

  play(): void {
    const { view } = this;
    if (view.source === null) return;
    if (view.turn >= view.last && !view.isLive) void this.go(view.first).then(() => this.start());
    else this.start();
  }

  pause(): void {
    this.stop();
    const { view } = this;
    if (!view.following) return;
    view.following = false;
    void view.showMoment(view.turn, view.seq);
  }

  /** Stop the timer; the moment stays. */
  stop(): void {
    this.playing = false;
    clearTimeout(this.timer);
  }

  changeSpeed(steps: number): void {
    const index = SPEEDS.indexOf(this.speed as (typeof SPEEDS)[number]);
    this.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, index + steps))] ?? 1;
  }

  /** Show the newest moment of a running match, from now on. */
  follow(): void {
    const { view } = this;
    if (view.head === null || !view.isLive) return;
    this.stop();
    view.following = true;
    view.showHead(view.head);
  }

  /** Show what a seat knows; null, or the same seat again, shows the default viewpoint. */
  async setViewpoint(seat: number | null): Promise<void> {
    const { view } = this;
    if (view.source === null || (seat !== null && seat >= (view.scene?.players.length ?? 0))) return;
    const before = view.viewpoint;
    view.viewpoint = seat === null || seat === before ? view.ownViewpoint : seat;
    if (view.viewpoint === before) return;
    if (!view.source.fogged) {
      view.revision++;
      return;
    }
    const { frames } = view;
    view.frames = view.cacheFor(view.source, view.viewpoint);
    view.following = false;
    try {
      await view.showMoment(view.turn, 0, { rebuild: true, strict: true });
    } catch (problem) {
      view.frames = frames;
      view.viewpoint = before;
      view.notice = problem instanceof Refusal ? problem.message : words.viewer.thisCannotBeShown;
    }
  }

  private start(): void {
    this.playing = true;
    const tick = async (): Promise<void> => {
      if (!this.playing || this.view.closed) return;
      const began = performance.now();
      const pace = PACE / this.speed;
      const went = await this.forward(pace >= 120 ? Math.min(GLIDE, pace * 0.8) : 0).catch(() => false);
      if (!went) {
        this.playing = false;
        if (this.view.isLive) this.follow();
        return;
      }
      if (this.playing) this.timer = setTimeout(() => void tick(), Math.max(0, pace - (performance.now() - began)));
    };
    this.timer = setTimeout(() => void tick(), 0);
  }

  private async forward(length: number): Promise<boolean> {
    const { view } = this;
    const { frames } = view;
    if (frames === null) return false;
    const block = await frames.block(view.turn, view.seq);
    const index = indexOf(block, view.turn, view.seq);
    const next = block.frames[index + 1];
    if (next !== undefined) {
      await view.showMoment(next.turn, next.seq ?? 0, { at: { block, index: index + 1 }, length });
      frames.prefetch(next.turn + PREFETCH);
      return true;
    }
    if (view.turn >= view.last) return false;
    await view.showMoment(view.turn + 1, 0, { length });
    return true;
  }

  private async back(): Promise<void> {
    const { view } = this;
    const { frames } = view;
    if (frames === null) return;
    const block = await frames.block(view.turn, view.seq);
    const before = block.frames[indexOf(block, view.turn, view.seq) - 1];
    view.following = false;
    if (before !== undefined) await view.showMoment(before.turn, before.seq ?? 0);
    else if (view.turn > view.first) {
      const earlier = await frames.block(view.turn - 1, Number.MAX_SAFE_INTEGER);
      const frame = earlier.frames.filter((candidate) => candidate.turn < view.turn).at(-1);
      await view.showMoment(frame?.turn ?? view.turn - 1, frame?.seq ?? 0);
    }
    frames.prefetch(view.turn - PREFETCH);
  }
}
