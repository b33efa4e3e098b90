/**
 * This turn's orders on the page: those that the server holds, and drafts that it does not have yet. How a further post changes
 * what it holds, the game says: it takes the place of all (`replace`), of those of the same unit (`unit`), or is added (`append`).
 */

import { canonicalText, type Order } from "../../api/orders";
import type { GameInfo } from "../../api/types";

export interface Entry {
  /** Unique while the page lives. */
  readonly id: number;
  readonly order: Order;
  readonly sent: boolean;
}

export type Queue = readonly Entry[];
export type Merging = GameInfo["merging"];

let count = 0;

export function createEntry(order: Order, sent = false): Entry {
  return { id: ++count, order, sent };
}

/** A queue in which every entry can be changed: the whole queue is sent again. */
export function isFree(merging: Merging): boolean {
  return merging === "replace";
}

export function canChange(entry: Entry, merging: Merging): boolean {
  return isFree(merging) || !entry.sent;
}

export function addOrder(queue: Queue, order: Order): Queue {
  return [...queue, createEntry(order)];
}

export function removeEntry(queue: Queue, id: number, merging: Merging): Queue {
  return queue.filter((entry) => entry.id !== id || !canChange(entry, merging));
}

/** The queue without its last entry that can still be taken back. */
export function removeLast(queue: Queue, merging: Merging): Queue {
  const last = queue.findLast((entry) => canChange(entry, merging));
  return last === undefined ? queue : queue.filter((entry) => entry !== last);
}

export function clearQueue(queue: Queue, merging: Merging): Queue {
  return queue.filter((entry) => !canChange(entry, merging));
}

/** Move an entry by so many places, not past one that cannot change. */
export function moveEntry(queue: Queue, id: number, by: number, merging: Merging): Queue {
  const from = queue.findIndex((other) => other.id === id);
  const entry = queue[from];
  const to = Math.min(queue.length - 1, Math.max(0, from + by));
  const target = queue[to];
  if (entry === undefined || target === undefined || !canChange(entry, merging) || !canChange(target, merging)) return queue;
  const rest = queue.filter((other) => other !== entry);
  return [...rest.slice(0, to), entry, ...rest.slice(to)];
}

/** What a post must hold so that the server afterwards holds the whole queue. */
export function ordersToPost(queue: Queue, merging: Merging): Order[] {
  return queue.filter((entry) => isFree(merging) || !entry.sent).map((entry) => entry.order);
}

/** Merge what the server holds into the queue: entries keep their identity, drafts made meanwhile stay. */
export function mergeHeld(queue: Queue, orders: readonly Order[], posted: ReadonlySet<number>): Queue {
  const known = queue.filter((entry) => entry.sent || posted.has(entry.id));
  const sent = orders.map((order) => {
    const text = canonicalText(order);
    const index = known.findIndex((entry) => canonicalText(entry.order) === text);
    const [old] = index < 0 ? [] : known.splice(index, 1);
    return old === undefined ? createEntry(order, true) : { ...old, sent: true };
  });
  return [...sent, ...queue.filter((entry) => !entry.sent && !posted.has(entry.id))];
}

/** What is left for the next turn: what was not sent. */
export function unsentEntries(queue: Queue): Queue {
  return queue.filter((entry) => !entry.sent);
}
