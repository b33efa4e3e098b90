/** Work that is tied to the lifetime of a component; call these while it is being created. */

import { onDestroy, onMount } from "svelte";

/** A function that says whether the component is still mounted. */
export function useMounted(): () => boolean {
  let mounted = true;
  onDestroy(() => {
    mounted = false;
  });
  return () => mounted;
}

/** Call `work` on mount, and again after as many milliseconds as it returns, until the component is destroyed. */
export function usePolling(work: () => Promise<number>): void {
  const isMounted = useMounted();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const poll = async (): Promise<void> => {
    const pause = await work();
    if (isMounted()) timer = setTimeout(() => void poll(), pause);
  };
  onMount(() => {
    void poll();
    return () => clearTimeout(timer);
  });
}
