/** The account of this browser, identified by a token in its storage. */

import { api, identity, Refusal } from "../api/client";
import type { AccountInfo, Role, Welcome } from "../api/types";

const RANK: Record<Role, number> = { player: 0, organiser: 1, admin: 2 };

class Session {
  account = $state.raw<AccountInfo | null>(null);
  /** Whether it is known which account the token belongs to, if there is one. */
  loaded = $state(false);
  /** The account's new recovery code, until the player has saved it; the server does not show it again. */
  recoveryCode = $state("");

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
    this.enter(await api.register(name));
  }

  /** Sign in to an account whose tokens are lost. */
  async recover(name: string, code: string): Promise<void> {
    this.enter(await api.recover(name, code));
  }

  async renewRecoveryCode(): Promise<void> {
    this.recoveryCode = (await api.renewRecoveryCode()).code;
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

  private enter(welcome: Welcome): void {
    identity.token = welcome.token;
    this.account = welcome.account;
    this.recoveryCode = welcome.recovery_code;
    this.loaded = true;
  }

  hasRole(role: Role): boolean {
    return this.account !== null && RANK[this.account.role] >= RANK[role];
  }
}

export const session = new Session();
