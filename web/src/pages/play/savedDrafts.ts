/** Orders that were not sent yet outlive a reload of the page, as long as their turn is open. */

import type { Order } from "../../api/types";

const name = (match: string, seat: number): string => `marchland.drafts.${match}.${seat}`;

export const drafts = {
  keep(match: string, seat: number, turn: number, orders: readonly Order[]): void {
    try {
      if (orders.length === 0) sessionStorage.removeItem(name(match, seat));
      else sessionStorage.setItem(name(match, seat), JSON.stringify({ turn, orders }));
    } catch {
      // A browser that keeps nothing forgets drafts with the page.
    }
  },
  kept(match: string, seat: number, turn: number): Order[] {
    try {
      const kept = JSON.parse(sessionStorage.getItem(name(match, seat)) ?? "null") as { turn: number; orders: Order[] } | null;
      return kept?.turn === turn ? kept.orders : [];
    } catch {
      return [];
    }
  },
};
