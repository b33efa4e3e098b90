/** The server's games, each loaded once. */

import { api } from "./client";
import type { GameInfo } from "./types";

const cache = new Map<string, Promise<GameInfo>>();

export function gameOf(name: string): Promise<GameInfo> {
  let pending = cache.get(name);
  if (pending === undefined) {
    pending = api.game(name);
    pending.catch(() => cache.delete(name));
    cache.set(name, pending);
  }
  return pending;
}

export async function allGames(): Promise<GameInfo[]> {
  return Promise.all((await api.games()).map(gameOf));
}

/** The bot that is selected by default: the best that most games have. */
export function defaultBot({ bots }: GameInfo): string {
  return bots.includes("greedy") ? "greedy" : (bots.at(-1) ?? "");
}
