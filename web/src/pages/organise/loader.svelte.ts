/** Something that is asked for, shown when it comes, and asked for again. */

import { onMount } from "svelte";
import { sentence } from "../../api/client";

export class Loaded<T> {
  value = $state.raw<T | null>(null);
  problem = $state("");
  private asked = 0;

  constructor(private readonly ask: () => Promise<T>) {}

  async reload(): Promise<void> {
    const mine = ++this.asked;
    try {
      const value = await this.ask();
      if (mine !== this.asked) return;
      this.value = value;
      this.problem = "";
    } catch (reason) {
      if (mine === this.asked) this.problem = sentence(reason);
    }
  }
}

/** Loads when its component is shown, and then every so many seconds while anybody looks. */
export function loaded<T>(ask: () => Promise<T>, every = 0): Loaded<T> {
  const made = new Loaded(ask);
  onMount(() => {
    void made.reload();
    if (every === 0) return;
    const timer = setInterval(() => void (document.hidden || made.reload()), every * 1000);
    return () => clearInterval(timer);
  });
  return made;
}
