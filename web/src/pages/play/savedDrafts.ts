/** Unsent orders in session storage: they survive a reload while their turn is open. */

import type { Order } from "../../api/orders";

const name = (match: string, seat: number): string => `marchland.drafts.${match}.${seat}`;

export const drafts = {
  save(match: string, seat: number, turn: number, orders: readonly Order[]): void {
    try {
      if (orders.length === 0) sessionStorage.removeItem(name(match, seat));
      else sessionStorage.setItem(name(match, seat), JSON.stringify({ turn, orders }));
    } catch {
      // Without storage drafts are lost with the page.
    }
  },
  load(match: string, seat: number, turn: number): Order[] {
    try {
      const saved = JSON.parse(sessionStorage.getItem(name(match, seat)) ?? "null") as { turn: number; orders: Order[] } | null;
      return saved?.turn === turn ? saved.orders : [];
    } catch {
      return [];
    }
  },
};
