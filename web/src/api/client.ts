/** The server's HTTP API. Calls throw a `Refusal` with a message for users. */

import type {
  AccountInfo,
  Drawing,
  Frame,
  GameInfo,
  GameLoading,
  Joined,
  Legend,
  MapDetails,
  MapInfo,
  MapReport,
  MatchInfo,
  Menus,
  MenusRequest,
  MatchCreate,
  Pending,
  Problem,
  RecoveryCode,
  RoomInfo,
  RoundInfo,
  RoundStanding,
  SeatRequest,
  TurnLog,
  Welcome,
} from "./types";
import { words } from "../i18n";
import { refusalText } from "../i18n/refusals";

export const API = "/api/v1";
const TOKEN = "marchland.token";

/** Why a request failed: a code for programs, a message for users. */
export class Refusal extends Error {
  constructor(
    readonly error: string,
    sentence: string,
    readonly status: number,
    /** Seconds after which it may work. */
    readonly retry: number | null = null,
  ) {
    super(sentence);
    this.name = "Refusal";
  }
}

/** The message of any error, for users. */
export function errorMessage(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

/** The token of this browser's account, in its storage. */
export const identity = {
  get token(): string | null {
    try {
      return localStorage.getItem(TOKEN);
    } catch {
      return null;
    }
  },
  set token(value: string | null) {
    try {
      if (value === null) localStorage.removeItem(TOKEN);
      else localStorage.setItem(TOKEN, value);
    } catch {
      // Without storage the token is lost with the page.
    }
  },
};

/** Called when a request is refused because its game is loading. */
export const loadingListeners = new Set<() => void>();
/** Seconds to wait where the server does not say how many. */
export const DEFAULT_RETRY = 2;

/** Send a request. A GET is retried while its game is loading, after the delay that the server names. */
async function request(method: string, path: string, body?: unknown): Promise<Response> {
  for (;;) {
    try {
      return await requestOnce(method, path, body);
    } catch (reason) {
      if (!(reason instanceof Refusal) || reason.error !== "loading") throw reason;
      for (const notify of loadingListeners) notify();
      if (method !== "GET") throw reason;
      await new Promise((resolve) => setTimeout(resolve, 1000 * (reason.retry ?? DEFAULT_RETRY)));
    }
  }
}

async function requestOnce(method: string, path: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = {};
  const token = identity.token;
  if (token !== null) headers["Authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(API + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Refusal("offline", words.app.unreachable, 0);
  }
  if (response.ok) return response;
  const answer = (await response.json().catch(() => null)) as Problem | null;
  const retry = response.headers.get("Retry-After");
  throw new Refusal(
    answer?.error ?? "refused",
    answer === null ? words.app.badAnswer(response.status) : refusalText(answer),
    response.status,
    retry === null ? null : Number(retry),
  );
}

export async function get<T>(path: string, query: Record<string, string | number | null | undefined> = {}): Promise<T> {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return (await (await request("GET", path + (text ? `?${text}` : ""))).json()) as T;
}

export async function send<T>(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<T> {
  const response = await request(method, path, body);
  const text = await response.text();
  return (text ? JSON.parse(text) : undefined) as T;
}

/** A new idempotency key: a post that is repeated with it gets the first answer again. */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export interface MatchesQuery {
  state?: string | null;
  game?: string | null;
  room?: string | null;
  /** The whole name of an account. */
  player?: string | null;
  /** The earliest and the first too late `created`, in seconds since 1970. */
  since?: number | null;
  before?: number | null;
  limit?: number;
}

export interface FramesQuery {
  from?: number | null;
  count?: number;
  seat?: number | null;
  chunks?: readonly number[] | null;
}

export const api = {
  me: () => get<AccountInfo>("/me"),
  register: (name: string) => send<Welcome>("POST", "/accounts", { name }),
  recover: (name: string, code: string) => send<Welcome>("POST", "/accounts/recover", { name, code }),
  renewRecoveryCode: () => send<RecoveryCode>("POST", "/me/recovery-code"),
  games: () => get<string[]>("/games"),
  game: (name: string) => get<GameInfo>(`/games/${encodeURIComponent(name)}`),
  loading: () => get<GameLoading[]>("/loading"),
  create: (match: MatchCreate) => send<MatchInfo>("POST", "/matches", match),
  join: (id: string, options: { password?: string; seat?: number } = {}) =>
    send<Joined>("POST", `/matches/${id}/join`, { ...options, kind: "human" }),
  again: (id: string) => send<MatchInfo>("POST", `/matches/${id}/again`),
  leave: (id: string) => send<void>("POST", `/matches/${id}/leave`),
  start: (id: string) => send<MatchInfo>("POST", `/matches/${id}/start`),
  matches: (query: MatchesQuery = {}) => get<MatchInfo[]>("/matches", { ...query }),
  match: (id: string) => get<MatchInfo>(`/matches/${id}`),
  legend: (id: string) => get<Legend>(`/matches/${id}/legend`),
  frames: (id: string, query: FramesQuery) =>
    get<Frame[]>(`/matches/${id}/frames`, {
      from: query.from,
      count: query.count,
      seat: query.seat,
      chunks: query.chunks?.join(","),
    }),
  rooms: () => get<RoomInfo[]>("/rooms"),
  rounds: () => get<RoundInfo[]>("/rounds"),
  enterRound: (round: string) => send<{ name: string }>("POST", `/rounds/${round}/register`, {}),
  standings: (game: string) => get<RoundStanding[]>("/standings", { game }),
  maps: (game?: string) => get<MapInfo[]>("/maps", { game }),
  map: (id: string) => get<MapDetails>(`/maps/${encodeURIComponent(id)}`),
  checkMap: (game: string, map: { data: unknown } | { drawing: Drawing }) => send<MapReport>("POST", "/maps/check", { game, ...map }),
  generateMap: (game: string, generator: string, settings: Record<string, number>) =>
    send<MapReport>("POST", "/maps/draw", { game, generator, settings }),
  saveMap: (game: string, name: string, data: unknown) => send<MapInfo>("POST", "/maps", { game, name, data }),
  changeMap: (id: string, name: string, data: unknown) => send<MapInfo>("PUT", `/maps/${id}`, { name, data }),
  removeMap: (id: string) => send<void>("DELETE", `/maps/${id}`),
  fork: (id: string, turn: number, seats: SeatRequest[]) => send<MatchInfo>("POST", `/matches/${id}/fork`, { turn, seats }),
  menus: (id: string, request: MenusRequest, seat: number) => send<Menus>("POST", `/matches/${id}/menus?seat=${seat}`, request),
  pending: (id: string, seat: number) => get<Pending>(`/matches/${id}/orders`, { seat }),
  log: (id: string, from: number, count: number, seat: number) => get<TurnLog[]>(`/matches/${id}/log`, { from, count, seat }),
  replayAddress: (id: string) => `${API}/matches/${id}/replay`,
};
