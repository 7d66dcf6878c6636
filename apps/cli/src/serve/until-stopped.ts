/**
 * SIGINT, SIGTERM and SIGHUP as two wishes: stop in order, and stop at once. One Ctrl-C can arrive twice, from the
 * terminal and passed on by npm: what comes within a moment of the first is the first.
 */
import type { SignalSource } from '../run/stop-signals.ts';

export interface UntilStopped {
  /** Resolves at the first signal. */
  readonly stopped: Promise<void>;
  release(): void;
}

const SAME_WISH_MS = 500;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function untilStopped(
  source: SignalSource,
  atOnce: () => void,
  now: () => number = () => performance.now(),
): UntilStopped {
  let first: number | undefined;
  let resolve: () => void = () => undefined;
  const stopped = new Promise<void>((done) => {
    resolve = done;
  });
  const listener = () => {
    if (first === undefined) {
      first = now();
      resolve();
    } else if (now() - first > SAME_WISH_MS) atOnce();
  };
  for (const signal of SIGNALS) source.on(signal, listener);
  return {
    stopped,
    release() {
      for (const signal of SIGNALS) source.off(signal, listener);
    },
  };
}
