/** Which moment is shown: one goes to it, steps, plays on at some speed, and changes whose eyes see it. */

import { Refusal } from "../api/client";
import { Film } from "./frameCache";
import { indexOf, Stage } from "./viewState.svelte";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, Infinity] as const;
/** Milliseconds a turn at normal speed. */
const PACE = 400;
export const GLIDE = 180;

export abstract class Playhead extends Stage {
  playing = $state(false);
  speed = $state<number>(1);
  protected timer: ReturnType<typeof setTimeout> | undefined;

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

  protected async waitForSource(): Promise<void> {
    for (let tries = 0; tries < 200 && this.source === null && this.problem === ""; tries++)
      await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
