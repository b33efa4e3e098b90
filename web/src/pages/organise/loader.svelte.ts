/** A resource with its loading state; the newest request wins. */

import { onMount } from "svelte";
import { errorMessage } from "../../api/client";

export class Loader<T> {
  value = $state.raw<T | null>(null);
  problem = $state("");
  private latestRequest = 0;

  constructor(private readonly ask: () => Promise<T>) {}

  async reload(): Promise<void> {
    const request = ++this.latestRequest;
    try {
      const value = await this.ask();
      if (request !== this.latestRequest) return;
      this.value = value;
      this.problem = "";
    } catch (reason) {
      if (request === this.latestRequest) this.problem = errorMessage(reason);
    }
  }
}

/** Load when the component is mounted, and then every `every` seconds while the page is visible. */
export function useLoader<T>(ask: () => Promise<T>, every = 0): Loader<T> {
  const loader = new Loader(ask);
  onMount(() => {
    void loader.reload();
    if (every === 0) return;
    const timer = setInterval(() => void (document.hidden || loader.reload()), every * 1000);
    return () => clearInterval(timer);
  });
  return loader;
}
