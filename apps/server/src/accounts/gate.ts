/** Lets few through at once and few wait: work that costs memory and cores stays bounded under a flood. */
export interface Gate {
  /** `full`: nothing was started, and so many wait already that this one would not be soon. */
  run<T>(work: () => Promise<T>): Promise<T | 'full'>;
}

export function gate({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }): Gate {
  let running = 0;
  const queue: (() => void)[] = [];
  return {
    async run(work) {
      if (running >= atOnce) {
        if (queue.length >= waiting) return 'full';
        await new Promise<void>((resolve) => queue.push(resolve));
      } else running++;
      try {
        return await work();
      } finally {
        // The place is handed on, so that nobody slips in between.
        const next = queue.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
