/** A player: an account in this browser, and matches with a seat. */

import { randomBytes } from "node:crypto";
import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { boardReady, expect, stock } from "./support";

const API = "/api/v1";

export interface Person {
  token: string;
  id: string;
}

/** A new name. */
export function nickname(): string {
  return `Ada ${randomBytes(3).toString("hex")}`;
}

export async function person(request: APIRequestContext): Promise<Person> {
  const answer = await request.post(`${API}/accounts`, { data: { name: nickname() } });
  expect(answer.ok(), await answer.text()).toBe(true);
  const made = (await answer.json()) as { token: string; account: { id: string } };
  return { token: made.token, id: made.account.id };
}

/** Call the server with an account's token. */
export async function call<T>(request: APIRequestContext, who: Person, method: "GET" | "PATCH" | "POST", path: string, data?: object): Promise<T> {
  const answer = await request.fetch(API + path, { method, headers: { Authorization: `Bearer ${who.token}` }, ...(data === undefined ? {} : { data }) });
  expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
  const text = await answer.text();
  return (text ? JSON.parse(text) : null) as T;
}

/** Sign this browser in. */
export async function become(page: Page, who: Person): Promise<void> {
  await page.addInitScript((token) => localStorage.setItem("marchland.token", token), who.token);
}

/** Homes that are drawn may lie below a panel. Who knows the seed has no seat, so the match is an organiser's. */
const SEEDS: Record<string, number> = { colorfight: 44 };

/** A small match with one seat against idle bots, with its play screen open; a phone shows no panels beside it. Another person may take a second seat. */
export async function seated(page: Page, request: APIRequestContext, game: string, more: object = {}, panels = true, other: Person | null = null): Promise<{ who: Person; match: string }> {
  const who = await person(request);
  const seats = [{ kind: "open" }, { kind: "builtin", bot: "idle" }];
  const seed = SEEDS[game];
  const creator = seed === undefined ? who : { token: stock.organiser, id: "" };
  const { id } = await call<{ id: string }>(request, creator, "POST", "/matches", { game, seats, clock: { kind: "ready" }, ...stock.small[game], ...(seed === undefined ? {} : { seed }), ...more });
  await call(request, who, "POST", `/matches/${id}/join`, { kind: "human" });
  if (other !== null) await call(request, other, "POST", `/matches/${id}/join`, { kind: "human", name: "Ben the slow" });
  await become(page, who);
  await page.goto(`/play/${id}`);
  if (panels) await boardReady(page);
  await page.getByRole("button", { name: /^Ready/, disabled: false }).waitFor();
  return { who, match: id };
}

/** End the open turn of a match that waits for one player only, from another page than the one that is tested. */
export async function playTurn(request: APIRequestContext, who: Person, match: string): Promise<void> {
  const moment = async (): Promise<string> => {
    const { turn, state } = await call<{ turn: number; state: string }>(request, who, "GET", `/matches/${match}`);
    return `${state} ${turn}`;
  };
  const before = await moment();
  await call(request, who, "POST", `/matches/${match}/orders`, { orders: [], key: randomBytes(6).toString("hex") });
  await expect.poll(moment, { intervals: [50] }).not.toBe(before);
}

/** The order that is being made. */
export const editor = (page: Page): Locator => page.getByRole("region", { name: "The order being made" });

/** The orders of this turn. */
export const queue = (page: Page): Locator => page.getByRole("list", { name: /^Orders of turn/ }).locator("button.order");

/** Where the cells are on the screen that can be picked now: marked ones, else those with which an order can begin. */
export async function pickable(page: Page): Promise<[number, number][]> {
  return page.evaluate(() => {
    interface Board {
      highlights: { cells: [number, number][]; style: string }[];
      scene: { grid: { centre: (column: number, row: number) => { x: number; y: number } } };
      camera: { toScreen: (x: number, y: number) => { x: number; y: number } };
    }
    const { board } = (window as unknown as { marchland: { board: Board } }).marchland;
    return board.highlights
      .filter(({ style }) => style === "fill" || style === "area")
      .flatMap(({ cells }) => cells)
      .map((cell): [number, number] => {
        const centre = board.scene.grid.centre(...cell);
        const at = board.camera.toScreen(centre.x, centre.y);
        return [at.x, at.y];
      });
  });
}

/** Where a piece is on the screen. */
export async function pieceOnScreen(page: Page, id: number): Promise<[number, number]> {
  return page.evaluate((wanted): [number, number] => {
    interface Board {
      scene: { pieces: Map<number, { column: number; row: number }>; grid: { centre: (column: number, row: number) => { x: number; y: number } } };
      camera: { toScreen: (x: number, y: number) => { x: number; y: number } };
    }
    const { board } = (window as unknown as { marchland: { board: Board } }).marchland;
    const piece = board.scene.pieces.get(wanted);
    if (piece === undefined) throw new Error(`There is no piece ${wanted}.`);
    const centre = board.scene.grid.centre(piece.column, piece.row);
    const at = board.camera.toScreen(centre.x, centre.y);
    return [at.x, at.y];
  }, id);
}
