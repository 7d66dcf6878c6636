/**
 * SIGTERM, SIGINT and SIGHUP as two wishes: the first asks to drain, a second one to stop at once. Until
 * `release` the signals do nothing else, so a terminal that is closed drains too.
 */
export interface StopSignals {
  /** True once the first signal has come. */
  readonly stopping: boolean;
  /** Whom to ask from now on; asked at once if the signal has already come. */
  attach(target: StopTarget): void;
  release(): void;
}

export interface StopTarget {
  drain(): void;
  abort(): void;
}

/** The part of `process` this needs. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  off(signal: NodeJS.Signals, listener: () => void): unknown;
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export function stopSignals(source: SignalSource, say: (line: string) => void): StopSignals {
  let received = 0;
  let target: StopTarget | undefined;
  const listener = () => {
    received += 1;
    if (received === 1) {
      say('Draining: what is in flight is finished, then it stops. Once more stops at once.');
      target?.drain();
    } else if (received === 2) {
      say('Stopping at once; started again it goes on where it was.');
      target?.abort();
    }
  };
  for (const signal of signals) source.on(signal, listener);
  return {
    get stopping() {
      return received > 0;
    },
    attach(next) {
      target = next;
      if (received >= 1) next.drain();
      if (received >= 2) next.abort();
    },
    release() {
      for (const signal of signals) source.off(signal, listener);
    },
  };
}
