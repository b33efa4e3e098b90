/** Values that change often, for what need not be drawn as often. */

import { untrack } from "svelte";

/** A value that follows another at most once in so many milliseconds; call it while a component is initialised. */
export function throttle<T>(read: () => T, interval: number): () => T {
  let value = $state.raw(untrack(read));
  let last = performance.now() - interval;
  $effect(() => {
    const next = read();
    const take = (): void => {
      last = performance.now();
      value = next;
    };
    const wait = last + interval - performance.now();
    if (wait <= 0) {
      untrack(take);
      return;
    }
    const timer = setTimeout(take, wait);
    return () => clearTimeout(timer);
  });
  return () => value;
}
