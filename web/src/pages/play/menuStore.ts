/** The menus of a match as it stands, each loaded once together with those that can follow it. */

import { api } from "../../api/client";
import { canonicalText, type Order } from "../../api/orders";
import type { Cell, Menu, Menus } from "../../api/types";

export class MenuStore {
  private following = new Map<string, Menu | null>();
  private loading = new Map<string, Promise<unknown>>();

  constructor(
    private readonly id: string,
    private readonly seat: number,
    /** The orders of this turn, which menus take into account. */
    private readonly queued: () => readonly Order[],
  ) {}

  /** Load the first menu of every verb; menus of an earlier state are dropped. */
  async reload(orders: readonly Order[] = []): Promise<Menus> {
    const answer = await api.menus(this.id, { orders: [...orders], queued: [...this.queued()] }, this.seat);
    this.following = new Map();
    this.loading = new Map();
    this.add(answer);
    return answer;
  }

  /** The menu that follows a partial order, null where nothing is missing; undefined if it is not loaded. */
  get(order: Order): Menu | null | undefined {
    return this.following.get(canonicalText(order));
  }

  /** The same, loaded if need be. */
  async find(order: Order): Promise<Menu | null> {
    for (;;) {
      const { following } = this;
      await this.load([order]);
      const menu = this.get(order);
      if (menu !== undefined) return menu;
      if (this.following === following) throw new Error(`The server has no menu for ${order.do}.`);
    }
  }

  /** Load the menus of partial orders and all that can follow them. */
  async load(orders: readonly Order[]): Promise<void> {
    const missing = orders.filter((order) => !this.following.has(canonicalText(order)) && !this.loading.has(canonicalText(order)));
    const { loading } = this;
    if (missing.length > 0) void this.request(missing, null).catch(() => undefined);
    await Promise.all(orders.map((order) => loading.get(canonicalText(order))));
  }

  /** The same for a cell that was picked, with prices and reasons for it; null if the match has moved on. */
  async request(orders: readonly Order[], at: Cell | null): Promise<Menus | null> {
    const { following, loading } = this;
    const request = api.menus(this.id, { orders: [...orders], queued: [...this.queued()], at }, this.seat).then((answer) => {
      if (this.following !== following) return null;
      this.add(answer);
      return answer;
    });
    for (const order of orders) loading.set(canonicalText(order), request);
    request.catch(() => undefined).finally(() => orders.forEach((order) => loading.delete(canonicalText(order))));
    return request;
  }

  private add({ following }: Menus): void {
    for (const { order, menu } of following) this.following.set(canonicalText(order as Order), menu);
  }
}
