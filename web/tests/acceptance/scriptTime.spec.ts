/** What watching costs: processor time of the page's scripts for each turn, from a performance trace. */

import type { APIRequestContext, Page } from "@playwright/test";
import { call, type Person } from "../seating";
import { boardReady, expect, stock, test } from "../support";

const HOST: Person = { token: stock.organiser, id: "" };
/** Turns that are measured, at four a second. */
const TURNS = 40;
const TURN = 0.25;
/** The events of a trace that are script; those within another are part of it. */
const SCRIPT = new Set(["FunctionCall", "EvaluateScript", "RunMicrotasks", "FireAnimationFrame", "TimerFire", "v8.callFunction", "MinorGC", "MajorGC"]);

interface Traced {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

interface Match {
  turn: number;
  state: string;
}

const turnOf = async (request: APIRequestContext, id: string): Promise<number> => (await call<Match>(request, HOST, "GET", `/matches/${id}`)).turn;

/** A match of bots that has grown, now at four turns a second. */
async function grown(request: APIRequestContext, config: object, bots: number, turns: number): Promise<string> {
  const seats = Array.from({ length: bots }, () => ({ kind: "builtin", bot: "greedy" }));
  const { id } = await call<{ id: string }>(request, HOST, "POST", "/matches", { game: "colorfight", seats, config, seed: 1, clock: { kind: "every", seconds: 0.05, early: false } });
  await expect.poll(() => turnOf(request, id), { timeout: 240_000, intervals: [200] }).toBeGreaterThanOrEqual(turns);
  await call(request, HOST, "PATCH", `/matches/${id}`, { clock: { kind: "every", seconds: TURN, early: false } });
  return id;
}

/** The events of the main thread of the page's process in which most script ran. */
async function trace(page: Page, during: () => Promise<void>): Promise<Traced[]> {
  const session = await page.context().newCDPSession(page);
  const events: Traced[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as Traced[])));
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["devtools.timeline", "__metadata"] } });
  await during();
  await session.send("Tracing.end");
  await complete;
  const main = new Set(events.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`));
  return events.filter(({ name, ph, pid, tid }) => ph === "X" && SCRIPT.has(name) && main.has(`${pid} ${tid}`));
}

/** Milliseconds of processor time, each event without those inside it. */
function scriptTime(events: Traced[]): number {
  let sum = 0;
  const ends = new Map<number, number>();
  for (const { pid, ts, dur = 0, tdur = 0 } of [...events].sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))) {
    if (ts < (ends.get(pid) ?? 0)) continue;
    ends.set(pid, ts + dur);
    sum += tdur;
  }
  return sum / 1000;
}

async function costOfTurn(page: Page, request: APIRequestContext, id: string): Promise<number> {
  await page.goto(`/match/${id}`);
  await boardReady(page);
  await page.waitForTimeout(3000); // the history of the charts is there, and the code is compiled
  let turns = 0;
  const events = await trace(page, async () => {
    const first = await turnOf(request, id);
    await expect.poll(() => turnOf(request, id), { timeout: 60_000, intervals: [250] }).toBeGreaterThanOrEqual(first + TURNS);
    turns = (await turnOf(request, id)) - first;
  });
  return scriptTime(events) / turns;
}

test.use({ viewport: { width: 1440, height: 900 } });
test.setTimeout(400_000);

for (const { name, limit, config, bots, turns } of [
  { name: "30 by 30 cells", limit: 4, config: { width: 30, height: 30, max_turn: 2000 }, bots: 4, turns: 60 },
  { name: "100,000 cells", limit: 8, config: { width: 320, height: 320, max_turn: 2000 }, bots: 8, turns: 120 },
])
  test(`watching a board of ${name} at 4 turns a second costs at most ${limit} ms of script for each turn`, async ({ page, request }) => {
    const id = await grown(request, config, bots, turns);
    try {
      const cost = await costOfTurn(page, request, id);
      console.log(`${name}: ${cost.toFixed(2)} ms of script a turn`);
      expect(cost).toBeLessThanOrEqual(limit);
    } finally {
      await request.delete(`/api/v1/matches/${id}`, { headers: { Authorization: `Bearer ${stock.organiser}` } });
    }
  });
