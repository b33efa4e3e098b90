/** How an order is made, without any page: the steps of its making, ways over the board, this turn's queue. */

import { expect, test } from "@playwright/test";
import type { Cell, Menu, Order, Step, Verb } from "../src/api/types";
import * as compose from "../src/pages/play/orderDraft";
import * as queue from "../src/pages/play/orderQueue";
import * as ways from "../src/pages/play/paths";

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

function asked(): compose.Composing {
  let now = compose.begin(MARCH, FROM);
  now = compose.picked(now, [0, 0]);
  now = compose.offered(now, now, TO);
  now = compose.picked(now, [0, 1]);
  return compose.offered(now, now, UNITS);
}

test("an order is its verb and what was picked, in that order", () => {
  let now = asked();
  expect(compose.isComplete(now)).toBe(false);
  now = compose.picked(now, 3);
  expect(now.menu).toBeUndefined();
  now = compose.offered(now, now, null);
  expect(compose.isComplete(now)).toBe(true);
  expect(compose.orderOf(now)).toEqual({ do: "march", from: [0, 0], to: [0, 1], units: 3 });
});

test("what is optional may be left out, what the order is about may not", () => {
  const now = asked();
  expect(compose.isSkippable(now)).toBe(true);
  const done = compose.skipped(now);
  expect(compose.isComplete(done)).toBe(true);
  expect(compose.orderOf(done)).toEqual({ do: "march", from: [0, 0], to: [0, 1] });
  expect(compose.isSkippable(compose.begin(MARCH, FROM))).toBe(false);
  expect(compose.skipped(compose.begin(MARCH, FROM)).trail).toEqual([]);
});

test("one pick after the other is taken back, at last the verb itself", () => {
  const before = compose.takenBack(asked());
  expect(before?.menu).toEqual(TO);
  const first = before === null ? null : compose.takenBack(before);
  expect(first?.menu).toEqual(FROM);
  expect(first === null ? null : compose.takenBack(first)).toBeNull();
});

test("an answer to an older question changes nothing", () => {
  const older = compose.picked(compose.begin(MARCH, FROM), [0, 0]);
  const newer = compose.picked(compose.begin(MARCH, FROM), [0, 0]);
  expect(compose.offered(newer, older, TO)).toBe(newer);
});

test("words that no menu asks for may be added", () => {
  const done = compose.skipped(asked());
  expect(compose.extrasOf(done).map(({ name }) => name)).toEqual(["cry"]);
  const loud = compose.worded(done, "cry", "hey");
  expect(compose.orderOf(loud)["cry"]).toBe("hey");
  expect(compose.orderOf(compose.worded(loud, "cry", ""))).not.toHaveProperty("cry");
});

test("a menu that has changed tells whether a pick still stands", () => {
  expect(compose.offers(TO, "to", [0, 1])).toBe(true);
  expect(compose.offers(TO, "to", [5, 5])).toBe(false);
  expect(compose.offers(UNITS, "units", 6)).toBe(false);
  expect(compose.offers(UNITS, "from", 3)).toBe(false);
  expect(compose.isEmpty({ pick: "number", param: "units", least: 1, most: 0 })).toBe(true);
});

/** A row of cells 1 to 4 right of the start; the third is dear. Cell [2, 1] lies beside the second. */
const STEPS: Step[] = [
  { cell: [1, 0], cost: 1, parent: null },
  { cell: [2, 0], cost: 2, parent: [1, 0] },
  { cell: [2, 1], cost: 3, parent: [2, 0] },
  { cell: [3, 0], cost: 5, parent: [2, 0] },
];
const beside = (one: Cell, other: Cell): boolean => Math.abs(one[0] - other[0]) + Math.abs(one[1] - other[1]) === 1;

test("the cheapest way follows the parents, and what it costs is told", () => {
  expect(ways.wayTo(STEPS, [3, 0])).toEqual([[1, 0], [2, 0], [3, 0]]);
  expect(ways.wayTo(STEPS, [9, 9])).toBeNull();
  expect(ways.fare(STEPS, [3, 0])).toBe(3);
  expect(ways.costOf(STEPS, [[1, 0], [2, 0], [2, 1]])).toBe(3);
});

test("a way is drawn cell by cell, cut back, or taken to a cell at once", () => {
  const one = ways.extended(STEPS, [], [1, 0], beside) ?? [];
  const two = ways.extended(STEPS, one, [2, 0], beside) ?? [];
  const three = ways.extended(STEPS, two, [2, 1], beside) ?? [];
  expect(three).toEqual([[1, 0], [2, 0], [2, 1]]);
  expect(ways.extended(STEPS, three, [1, 0], beside)).toEqual([[1, 0]]);
  expect(ways.extended(STEPS, one, [3, 0], beside)).toEqual([[1, 0], [2, 0], [3, 0]]);
  expect(ways.extended(STEPS, one, [9, 9], beside)).toBeNull();
});

const order = (name: string): Order => ({ do: name });
const names = (of: queue.Queue): string[] => of.map((one) => one.order.do + (one.sent ? "!" : ""));

test("where a post takes the place of all, everything can still change and all is posted again", () => {
  const three = ["a", "b", "c"].reduce<queue.Queue>((all, name) => queue.added(all, order(name)), []);
  const sent = queue.held(three, three.map((one) => one.order), new Set(three.map((one) => one.id)));
  expect(names(sent)).toEqual(["a!", "b!", "c!"]);
  const moved = queue.moved(sent, sent[0]?.id ?? 0, 2, "replace");
  expect(names(moved)).toEqual(["b!", "c!", "a!"]);
  expect(queue.toPost(moved, "replace")).toEqual([order("b"), order("c"), order("a")]);
  expect(names(queue.withoutLast(moved, "replace"))).toEqual(["b!", "c!"]);
});

test("where posts add up, what is sent stays and only drafts are posted, moved and taken back", () => {
  const sent = [queue.entry(order("a"), true), queue.entry(order("b"))];
  const both = queue.added(sent, order("c"));
  expect(queue.toPost(both, "append")).toEqual([order("b"), order("c")]);
  expect(names(queue.moved(both, both[2]?.id ?? 0, -2, "append"))).toEqual(["a!", "b", "c"]);
  expect(names(queue.moved(both, both[2]?.id ?? 0, -1, "append"))).toEqual(["a!", "c", "b"]);
  expect(names(queue.cleared(both, "append"))).toEqual(["a!"]);
  expect(names(queue.withoutLast(queue.cleared(both, "append"), "unit"))).toEqual(["a!"]);
});

test("the queue is what the server holds, and drafts made meanwhile", () => {
  const [old, draft, later] = [queue.entry(order("old"), true), queue.entry(order("draft")), queue.entry(order("later"))];
  const now = queue.held([old, draft, later], [order("draft"), order("elsewhere")], new Set([draft.id]));
  expect(names(now)).toEqual(["draft!", "elsewhere!", "later"]);
  expect(now[0]?.id).toBe(draft.id);
  expect(names(queue.unsent(now))).toEqual(["later"]);
});
