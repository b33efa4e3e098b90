/** Who organises: the account of the token that this browser keeps. */

import { api, identity, Refusal } from "../../lib/api";
import type { AccountInfo, Role } from "../../lib/types";

const RANK: Record<Role, number> = { player: 0, organiser: 1, admin: 2 };

class Session {
  account = $state.raw<AccountInfo | null>(null);
  /** Whether it is known yet who is there. */
  asked = $state(false);
  problem = $state("");

  async begin(): Promise<void> {
    this.problem = "";
    if (identity.token === null) {
      this.account = null;
      this.asked = true;
      return;
    }
    try {
      this.account = await api.me();
    } catch (reason) {
      this.account = null;
      this.problem = sentence(reason);
      if (reason instanceof Refusal && reason.error === "bad_token") identity.token = null;
    }
    this.asked = true;
  }

  async signIn(token: string): Promise<void> {
    identity.token = token.trim();
    await this.begin();
  }

  signOut(): void {
    identity.token = null;
    this.account = null;
    this.problem = "";
  }

  may(role: Role): boolean {
    return this.account !== null && RANK[this.account.role] >= RANK[role];
  }
}

export const session = new Session();

/** What went wrong, for people. */
export function sentence(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
