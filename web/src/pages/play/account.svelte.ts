/** Who plays in this browser: an account of the server, known by a token that never leaves here. */

import { api, identity, Refusal } from "../../lib/api";
import type { AccountInfo } from "../../lib/types";

class Account {
  me = $state.raw<AccountInfo | null>(null);
  /** Whether it is known who this is, if anybody. */
  known = $state(false);

  async ask(): Promise<AccountInfo | null> {
    if (identity.token === null) this.me = null;
    else
      try {
        this.me = await api.me();
      } catch (problem) {
        if (!(problem instanceof Refusal) || problem.status !== 401) throw problem;
        identity.token = null; // the server does not know it any more
        this.me = null;
      }
    this.known = true;
    return this.me;
  }

  async register(name: string): Promise<AccountInfo> {
    const welcome = await api.register(name);
    identity.token = welcome.token;
    this.me = welcome.account;
    this.known = true;
    return welcome.account;
  }
}

export const account = new Account();
