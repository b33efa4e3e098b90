/** Results of a seat's orders by turn: from the news, for earlier turns from the server's log. */

import { api } from "../../api/client";
import type { News, Result } from "../../api/types";

export interface TurnResults {
  results: readonly Result[];
  /** The seat missed the turn. */
  late: boolean;
}

export class ResultsLog {
  private turns = $state.raw<ReadonlyMap<number, TurnResults>>(new Map());
  private readonly requested = new Set<number>();

  constructor(
    private readonly id: string,
    private readonly seat: number,
  ) {}

  of(turn: number): TurnResults | null {
    return this.turns.get(turn) ?? null;
  }

  /** Take over the results of the turn before the news. */
  receive(news: News): void {
    if (!news.results) return;
    const turn = news.turn - 1;
    const acts = this.turns.get(turn)?.results ?? [];
    this.put(turn, { results: [...acts, ...news.results], late: news.late === true });
  }

  /** Add the results of an immediate action. */
  add(turn: number, results: readonly Result[]): void {
    const before = this.turns.get(turn);
    this.put(turn, { results: [...(before?.results ?? []), ...results], late: before?.late ?? false });
  }

  /** Load the results of a turn in the background. */
  async load(turn: number): Promise<void> {
    if (turn < 0 || this.requested.has(turn) || this.turns.has(turn)) return;
    this.requested.add(turn);
    try {
      const found = await api.log(this.id, turn, 1, this.seat);
      const mine = found.filter((entry) => entry.turn === turn);
      if (!this.turns.has(turn)) this.put(turn, { results: mine.flatMap((entry) => entry.results), late: mine.some((entry) => entry.late) });
    } catch {
      this.requested.delete(turn);
    }
  }

  private put(turn: number, results: TurnResults): void {
    this.turns = new Map(this.turns).set(turn, results);
  }
}
