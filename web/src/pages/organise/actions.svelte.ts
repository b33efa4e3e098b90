/** Requests of a section that change something: a message after success, the error for users, and a reload. */

import { errorMessage } from "../../api/client";
import { dialogs } from "./dialogs.svelte";

export class Actions {
  /** Why the last request failed. */
  problem = $state("");

  constructor(private readonly reload: () => Promise<void>) {}

  async run(work: () => Promise<unknown>, done: string): Promise<void> {
    this.problem = "";
    try {
      await work();
      dialogs.notify(done);
    } catch (reason) {
      this.problem = errorMessage(reason);
    }
    await this.reload();
  }
}
