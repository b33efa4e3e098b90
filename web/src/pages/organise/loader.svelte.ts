/** A resource with its loading state; the newest request wins. */

import { onMount } from "svelte";
import { errorMessage } from "../../api/client";

export class Loader<T> {
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
      if (mine === this.asked) this.problem = errorMessage(reason);
    }
  }
}

/** Load when the component is mounted, and then every so many seconds while the page is visible. */
export function useLoader<T>(ask: () => Promise<T>, every = 0): Loader<T> {
  const made = new Loader(ask);
  onMount(() => {
    void made.reload();
    if (every === 0) return;
    const timer = setInterval(() => void (document.hidden || made.reload()), every * 1000);
    return () => clearInterval(timer);
  });
  return made;
}
