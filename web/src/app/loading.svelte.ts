/** Loading progress of the server's games. Polled once a second while a game is missing. */

import { api, loadingListeners, Refusal, DEFAULT_RETRY } from "../api/client";
import type { GameLoading } from "../api/types";

const POLL = 1000;

class Loading {
  private games = $state.raw<GameLoading[]>([]);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asking = false;

  /** The games that cannot be played yet; none while nothing is known. */
  get missing(): GameLoading[] {
    return this.games.filter((game) => game.state !== "loaded");
  }

  /** Poll now, and again while a game is loading. */
  async poll(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    clearTimeout(this.timer);
    try {
      this.games = await api.loading();
    } catch {
      // The server cannot be reached; each page shows that where it matters.
    }
    this.asking = false;
    if (this.missing.some((game) => game.state !== "failed")) this.timer = setTimeout(() => void this.poll(), POLL);
  }
}

export const loading = new Loading();
loadingListeners.add(() => void loading.poll());

/** Repeat a call that changes something while its game is loading and the caller still waits. A refused call changed nothing. */
export async function whenLoaded<T>(call: () => Promise<T>, wanted: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (reason) {
      if (!(reason instanceof Refusal) || reason.error !== "loading" || !wanted()) throw reason;
      await new Promise((resolve) => setTimeout(resolve, 1000 * (reason.retry ?? DEFAULT_RETRY)));
      if (!wanted()) throw reason;
    }
  }
}
