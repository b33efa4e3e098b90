/** Statistics of the turns that were loaded: figures for charts, marks for the timeline. */

import type { Frame, Legend } from "../api/types";
import { gameWords } from "../app/sentences";
import { words } from "../i18n";

/** With more players than this, figures are not stored. */
const MOST_PLAYERS = 64;

export interface Mark {
  turn: number;
  kind: "death" | "missed";
  words: string;
}

export class TurnStats {
  readonly figures = new Map<number, number[][]>();
  /** The number of fights in each turn. */
  readonly activity = new Map<number, number>();
  readonly marks = new Map<string, Mark>();
  private readonly fights: boolean[];
  private readonly deaths: boolean[];
  private readonly seen = new Set<string>();

  constructor(private readonly legend: Legend) {
    this.fights = legend.events.map((event) => event.motion === "ripple" || event.motion === "arc" || event.motion === "fade");
    this.deaths = legend.events.map((event) => event.ends_player === true);
  }

  add(frames: readonly Frame[], names: readonly string[]): void {
    for (const frame of frames) {
      const name = `${frame.turn}:${frame.seq ?? 0}`;
      if (frame.players.length <= MOST_PLAYERS) this.figures.set(frame.turn, frame.players);
      if (frame.events === undefined || frame.events.length === 0 || this.seen.has(name)) continue;
      this.seen.add(name);
      let count = this.activity.get(frame.turn) ?? 0;
      for (const [kind, values] of frame.events) {
        if (this.fights[kind]) count++;
        if (this.deaths[kind]) this.addDeath(frame.turn, kind, values, names);
      }
      this.activity.set(frame.turn, count);
    }
  }

  addMissed(turn: number, name: string): void {
    this.marks.set(`missed ${turn} ${name}`, { turn, kind: "missed", words: words.viewer.missedTurn(name, turn) });
  }

  private addDeath(turn: number, kind: number, values: readonly unknown[], names: readonly string[]): void {
    const event = this.legend.events[kind];
    const index = Object.values(event?.args ?? {}).indexOf("player");
    const player = values[index];
    const who = typeof player === "number" ? (names[player] ?? words.viewer.player(player)) : words.viewer.aPlayer;
    const sentence = gameWords(this.legend).words.events?.[event?.name ?? ""]?.one ?? `{player} ${event?.name ?? "died"}`;
    this.marks.set(`death ${turn} ${who}`, { turn, kind: "death", words: sentence.replace("{player}", who) });
  }
}
