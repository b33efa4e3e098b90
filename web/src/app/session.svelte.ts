/** The account of this browser, identified by a token in its storage. */

import { api, identity, Refusal } from "../api/client";
import type { AccountInfo, Role } from "../api/types";

const RANK: Record<Role, number> = { player: 0, organiser: 1, admin: 2 };

class Session {
  account = $state.raw<AccountInfo | null>(null);
  /** Whether it is known which account the token belongs to, if there is one. */
  loaded = $state(false);

  async load(): Promise<void> {
    const { token } = identity;
    let account: AccountInfo | null = null;
    try {
      if (token !== null) account = await api.me();
    } catch (problem) {
      if (!(problem instanceof Refusal) || problem.status !== 401) throw problem;
    }
    if (identity.token !== token) return; // signed in or out meanwhile
    if (account === null) identity.token = null; // the server does not know it any more
    this.account = account;
    this.loaded = true;
  }

  async register(name: string): Promise<void> {
    const welcome = await api.register(name);
    identity.token = welcome.token;
    this.account = welcome.account;
    this.loaded = true;
  }

  async signIn(token: string): Promise<void> {
    identity.token = token;
    try {
      this.account = await api.me();
    } catch (problem) {
      identity.token = null;
      throw problem;
    }
    this.loaded = true;
  }

  signOut(): void {
    identity.token = null;
    this.account = null;
  }

  hasRole(role: Role): boolean {
    return this.account !== null && RANK[this.account.role] >= RANK[role];
  }
}

export const session = new Session();
