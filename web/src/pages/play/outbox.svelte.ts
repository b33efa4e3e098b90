/** This turn's orders and their posts to the server: what the page shows as sent is what the server holds. */

import { api, Refusal, errorMessage } from "../../api/client";
import type { Order } from "../../api/orders";
import { words } from "../../i18n";
import type { MatchViewer } from "../../viewer/matchViewer.svelte";
import { drafts } from "./savedDrafts";
import { addOrder, canChange, clearQueue, createEntry, mergeHeld, isFree, moveEntry, ordersToPost, unsentEntries, removeEntry, removeLast, type Merging, type Queue } from "./orderQueue";

/** Milliseconds by which posts are debounced. */
const GATHER = 150;
/** Drafts are sent automatically so many seconds before the turn closes. */
const LAST_CALL = 1.2;

export class Outbox {
  queue = $state.raw<Queue>([]);
  /** The turn for which orders are given. */
  turn = $state(-1);
  ready = $state(false);
  /** Seats that are not ready, where the turn waits for all. */
  awaited = $state.raw<readonly number[]>([]);
  busy = $state(false);
  /** Why the last post was refused, for users. */
  problem = $state("");

  /** Incremented by every change: an answer about an older queue is not shown. */
  private version = 0;
  private flight: Promise<void> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly id: string,
    private readonly seat: number,
    private readonly viewer: MatchViewer,
    readonly merging: Merging,
    /** The orders of this turn have changed. */
    private readonly changed: () => void,
  ) {}

  close(): void {
    clearTimeout(this.timer);
  }

  /** How many orders the server does not have. */
  get unsent(): number {
    return unsentEntries(this.queue).length;
  }

  add(order: Order): void {
    this.change(addOrder(this.queue, order));
  }

  remove(id: number): void {
    this.change(removeEntry(this.queue, id, this.merging));
  }

  /** Take the last order back; false if none can be. */
  takeBack(): boolean {
    const shorter = removeLast(this.queue, this.merging);
    const took = shorter !== this.queue;
    this.change(shorter);
    return took;
  }

  clear(): void {
    this.change(clearQueue(this.queue, this.merging));
  }

  move(id: number, by: number): void {
    this.change(moveEntry(this.queue, id, by, this.merging));
  }

  canChange(id: number): boolean {
    const entry = this.queue.find((other) => other.id === id);
    return entry !== undefined && canChange(entry, this.merging);
  }

  private change(queue: Queue): void {
    if (queue === this.queue) return;
    this.queue = queue;
    this.version++;
    this.saveDrafts();
    this.changed();
    if (!isFree(this.merging)) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.send(false), GATHER);
  }

  /** Post unsent orders; `ready` ends this seat's turn. */
  async send(ready: boolean): Promise<void> {
    clearTimeout(this.timer);
    const { turn } = this;
    while (this.flight !== null) await this.flight;
    this.flight = this.post(ready && turn === this.turn); // ready applies only to the turn that was shown
    await this.flight;
  }

  private async post(ready: boolean): Promise<void> {
    const { version, turn } = this;
    const posted = new Set((isFree(this.merging) ? this.queue : unsentEntries(this.queue)).map((entry) => entry.id));
    this.busy = true;
    try {
      if (this.viewer.view.live === null) throw new Refusal("over", words.play.isOver, 409);
      await this.viewer.view.live.ask({ type: "orders", orders: ordersToPost(this.queue, this.merging), turn, ready: ready || this.ready });
      this.problem = "";
      this.queue = this.queue.map((entry) => (posted.has(entry.id) ? { ...entry, sent: true } : entry));
      if (turn === this.turn) {
        this.ready ||= ready;
        this.saveDrafts();
        await this.refresh(version, posted);
      }
    } catch (problem) {
      const late = problem instanceof Refusal && problem.error === "too_late";
      this.problem = late ? words.play.tooLate(errorMessage(problem)) : errorMessage(problem);
    } finally {
      this.busy = false;
      this.flight = null;
    }
  }

  /** Load what the server holds, and merge it with unsent orders. */
  async refresh(version = this.version, posted: ReadonlySet<number> = new Set()): Promise<void> {
    const pending = await api.pending(this.id, this.seat).catch(() => null);
    if (pending === null || version !== this.version || pending.turn !== this.turn) return;
    this.queue = mergeHeld(this.queue, pending.orders as Order[], posted);
    this.ready = pending.ready;
    this.awaited = pending.awaited;
  }

  /** Another turn is open: sent orders belong to the last one, unsent ones stay. */
  async startTurn(turn: number): Promise<void> {
    const first = this.turn < 0;
    const passed = turn - this.turn;
    this.turn = turn;
    this.ready = false;
    this.awaited = [];
    while (this.flight !== null) await this.flight; // what is on its way was for the turn before
    if (this.turn !== turn) return;
    this.queue = first ? drafts.load(this.id, this.seat, turn).map((order) => createEntry(order)) : unsentEntries(this.queue);
    this.version++;
    if (first || passed !== 1) await this.refresh();
  }

  /** Send drafts before the turn closes. */
  tick(left: number): void {
    if (left > 0 && left < LAST_CALL && this.unsent > 0 && this.flight === null && this.problem === "") void this.send(false);
  }

  private saveDrafts(): void {
    drafts.save(this.id, this.seat, this.turn, unsentEntries(this.queue).map((entry) => entry.order));
  }
}
