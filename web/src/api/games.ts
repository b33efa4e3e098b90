/** The server's games, each loaded once. */

import { api } from "./client";
import type { GameInfo } from "./types";

const known = new Map<string, Promise<GameInfo>>();

export function gameOf(name: string): Promise<GameInfo> {
  let asked = known.get(name);
  if (asked === undefined) {
    asked = api.game(name);
    asked.catch(() => known.delete(name));
    known.set(name, asked);
  }
  return asked;
}

export async function allGames(): Promise<GameInfo[]> {
  return Promise.all((await api.games()).map(gameOf));
}

/** The bot that is selected by default: the best that most games have. */
export function defaultBot({ bots }: GameInfo): string {
  return bots.includes("greedy") ? "greedy" : (bots.at(-1) ?? "");
}
