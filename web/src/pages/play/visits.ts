/** The moment of a match that a seat's player saw last, in the storage of this browser. */

import type { Moment } from "../../viewer/frameCache";

const name = (match: string, seat: number): string => `marchland.seen.${match}.${seat}`;

export const visits = {
  save(match: string, seat: number, { turn, seq }: Moment): void {
    try {
      localStorage.setItem(name(match, seat), JSON.stringify({ turn, seq }));
    } catch {
      // Without storage each visit is the first.
    }
  },
  load(match: string, seat: number): Moment | null {
    try {
      return JSON.parse(localStorage.getItem(name(match, seat)) ?? "null") as Moment | null;
    } catch {
      return null;
    }
  },
};

export function isLater(one: Moment, other: Moment): boolean {
  return one.turn > other.turn || (one.turn === other.turn && one.seq > other.seq);
}
