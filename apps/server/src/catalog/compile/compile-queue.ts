/**
 * Type checks and bundles take seconds and up to a gigabyte each, and anybody who may edit can ask for them: so
 * many at once, so many waiting, so many of one account. What is refused is told when to come again.
 */

export type Queued<T> =
  | { readonly kind: 'done'; readonly result: T }
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number };

export interface CompileQueue {
  run<T>(who: string, job: () => Promise<T>): Promise<Queued<T>>;
}

export interface QueueLimits {
  readonly running: number;
  readonly waiting: number;
  /** Of one account, running and waiting. */
  readonly each: number;
}

/** A guess at how long one job takes, for those who are sent away. */
const JOB_SECONDS = 3;

export function compileQueue({ running: places, waiting: most, each }: QueueLimits): CompileQueue {
  const waiting: (() => void)[] = [];
  const counts = new Map<string, number>();
  let running = 0;

  const count = (who: string, change: number): void => {
    const now = (counts.get(who) ?? 0) + change;
    if (now === 0) counts.delete(who);
    else counts.set(who, now);
  };
  const place = (): Promise<void> | undefined => {
    if (running === places) return new Promise((resolve) => waiting.push(resolve));
    running++;
    return undefined;
  };
  /** The place goes straight to the next in line, so that nobody slips in between. */
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };

  return {
    async run(who, job) {
      if ((counts.get(who) ?? 0) >= each || waiting.length >= most)
        return { kind: 'busy', retryAfterSeconds: (1 + waiting.length) * JOB_SECONDS };
      count(who, 1);
      try {
        await place();
        try {
          return { kind: 'done', result: await job() };
        } finally {
          leave();
        }
      } finally {
        count(who, -1);
      }
    },
  };
}
