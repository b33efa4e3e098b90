/** Building an order without a page: picks, paths over the board, this turn's queue. */

import { expect, test } from "@playwright/test";
import type { Order } from "../src/api/orders";
import type { Cell, Menu, Step, Verb } from "../src/api/types";
import * as draft from "../src/pages/play/orderDraft";
import * as queue from "../src/pages/play/orderQueue";
import * as paths from "../src/pages/play/paths";

const MARCH: Verb = {
  do: "march",
  params: [
    { name: "from", pick: "cell" },
    { name: "to", pick: "cell" },
    { name: "units", pick: "number", optional: true },
    { name: "cry", pick: "text", optional: true },
  ],
};
const FROM: Menu = { pick: "cell", param: "from", cells: [[0, 0]] };
const TO: Menu = { pick: "cell", param: "to", cells: [[0, 1]] };
const UNITS: Menu = { pick: "number", param: "units", least: 1, most: 5 };

function asked(): draft.OrderDraft {
  let now = draft.beginOrder(MARCH, FROM);
  now = draft.pickValue(now, [0, 0]);
  now = draft.offerMenu(now, now, TO);
  now = draft.pickValue(now, [0, 1]);
  return draft.offerMenu(now, now, UNITS);
}

test("an order is its verb and what was picked, in that order", () => {
  let now = asked();
  expect(draft.isComplete(now)).toBe(false);
  now = draft.pickValue(now, 3);
  expect(now.menu).toBeUndefined();
  now = draft.offerMenu(now, now, null);
  expect(draft.isComplete(now)).toBe(true);
  expect(draft.orderOf(now)).toEqual({ do: "march", from: [0, 0], to: [0, 1], units: 3 });
});

test("what is optional may be left out, what the order is about may not", () => {
  const now = asked();
  expect(draft.isSkippable(now)).toBe(true);
  const done = draft.skipParameter(now);
  expect(draft.isComplete(done)).toBe(true);
  expect(draft.orderOf(done)).toEqual({ do: "march", from: [0, 0], to: [0, 1] });
  expect(draft.isSkippable(draft.beginOrder(MARCH, FROM))).toBe(false);
  expect(draft.skipParameter(draft.beginOrder(MARCH, FROM)).trail).toEqual([]);
});

test("one pick after the other is taken back, at last the verb itself", () => {
  const before = draft.takeBackPick(asked());
  expect(before?.menu).toEqual(TO);
  const first = before === null ? null : draft.takeBackPick(before);
  expect(first?.menu).toEqual(FROM);
  expect(first === null ? null : draft.takeBackPick(first)).toBeNull();
});

test("an answer to an older question changes nothing", () => {
  const older = draft.pickValue(draft.beginOrder(MARCH, FROM), [0, 0]);
  const newer = draft.pickValue(draft.beginOrder(MARCH, FROM), [0, 0]);
  expect(draft.offerMenu(newer, older, TO)).toBe(newer);
});

test("words that no menu asks for may be added", () => {
  const done = draft.skipParameter(asked());
  expect(draft.extrasOf(done).map(({ name }) => name)).toEqual(["cry"]);
  const loud = draft.setExtra(done, "cry", "hey");
  expect(draft.orderOf(loud)["cry"]).toBe("hey");
  expect(draft.orderOf(draft.setExtra(loud, "cry", ""))).not.toHaveProperty("cry");
});

test("a menu that has changed decides whether a pick still stands", () => {
  expect(draft.isOffered(TO, "to", [0, 1])).toBe(true);
  expect(draft.isOffered(TO, "to", [5, 5])).toBe(false);
  expect(draft.isOffered(UNITS, "units", 6)).toBe(false);
  expect(draft.isOffered(UNITS, "from", 3)).toBe(false);
  expect(draft.isEmpty({ pick: "number", param: "units", least: 1, most: 0 })).toBe(true);
});

/** A row of cells 1 to 4 right of the start; the third is dear. Cell [2, 1] lies beside the second. */
const STEPS: Step[] = [
  { cell: [1, 0], cost: 1, parent: null },
  { cell: [2, 0], cost: 2, parent: [1, 0] },
  { cell: [2, 1], cost: 3, parent: [2, 0] },
  { cell: [3, 0], cost: 5, parent: [2, 0] },
];
const beside = (a: Cell, b: Cell): boolean => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) === 1;

test("the cheapest path follows the parents, and has its cost", () => {
  expect(paths.pathTo(STEPS, [3, 0])).toEqual([[1, 0], [2, 0], [3, 0]]);
  expect(paths.pathTo(STEPS, [9, 9])).toBeNull();
  expect(paths.costToEnter(STEPS, [3, 0])).toBe(3);
  expect(paths.costOf(STEPS, [[1, 0], [2, 0], [2, 1]])).toBe(3);
});

test("a way is drawn cell by cell, cut back, or taken to a cell at once", () => {
  const start = paths.extendPath(STEPS, [], [1, 0], beside) ?? [];
  const longer = paths.extendPath(STEPS, start, [2, 0], beside) ?? [];
  const three = paths.extendPath(STEPS, longer, [2, 1], beside) ?? [];
  expect(three).toEqual([[1, 0], [2, 0], [2, 1]]);
  expect(paths.extendPath(STEPS, three, [1, 0], beside)).toEqual([[1, 0]]);
  expect(paths.extendPath(STEPS, start, [3, 0], beside)).toEqual([[1, 0], [2, 0], [3, 0]]);
  expect(paths.extendPath(STEPS, start, [9, 9], beside)).toBeNull();
});

const order = (name: string): Order => ({ do: name });
const names = (of: queue.Queue): string[] => of.map((entry) => entry.order.do + (entry.sent ? "!" : ""));

test("where a post takes the place of all, everything can still change and all is posted again", () => {
  const three = ["a", "b", "c"].reduce<queue.Queue>((all, name) => queue.addOrder(all, order(name)), []);
  const sent = queue.mergeHeld(three, three.map((entry) => entry.order), new Set(three.map((entry) => entry.id)));
  expect(names(sent)).toEqual(["a!", "b!", "c!"]);
  const moved = queue.moveEntry(sent, sent[0]?.id ?? 0, 2, "replace");
  expect(names(moved)).toEqual(["b!", "c!", "a!"]);
  expect(queue.ordersToPost(moved, "replace")).toEqual([order("b"), order("c"), order("a")]);
  expect(names(queue.removeLast(moved, "replace"))).toEqual(["b!", "c!"]);
});

test("where posts add up, what is sent stays and only drafts are posted, moved and taken back", () => {
  const sent = [queue.createEntry(order("a"), true), queue.createEntry(order("b"))];
  const both = queue.addOrder(sent, order("c"));
  expect(queue.ordersToPost(both, "append")).toEqual([order("b"), order("c")]);
  expect(names(queue.moveEntry(both, both[2]?.id ?? 0, -2, "append"))).toEqual(["a!", "b", "c"]);
  expect(names(queue.moveEntry(both, both[2]?.id ?? 0, -1, "append"))).toEqual(["a!", "c", "b"]);
  expect(names(queue.clearQueue(both, "append"))).toEqual(["a!"]);
  expect(names(queue.removeLast(queue.clearQueue(both, "append"), "unit"))).toEqual(["a!"]);
});

test("the queue is what the server holds, and drafts made meanwhile", () => {
  const [old, draft, later] = [queue.createEntry(order("old"), true), queue.createEntry(order("draft")), queue.createEntry(order("later"))];
  const now = queue.mergeHeld([old, draft, later], [order("draft"), order("elsewhere")], new Set([draft.id]));
  expect(names(now)).toEqual(["draft!", "elsewhere!", "later"]);
  expect(now[0]?.id).toBe(draft.id);
  expect(names(queue.unsentEntries(now))).toEqual(["later"]);
});
