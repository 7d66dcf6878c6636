/**
 * Who may start now. Starts are bounded, so that a host that comes up with many pipelines does not choke itself.
 * A pipeline that was starting when a host ended is a suspect: suspects start one at a time, the least suspect
 * first and when no other start waits, so that the next crash points at one of them only.
 */
export interface StartGate {
  /** Resolves when it is this one's turn; the caller calls the result when the start is over, either way. */
  enter(crashes: number): Promise<() => void>;
}

interface Waiting {
  readonly crashes: number;
  readonly enter: () => void;
}

export function startGate(most: number): StartGate {
  const waiting: Waiting[] = [];
  let starting = 0;
  let suspects = 0;

  const admit = () => {
    for (;;) {
      waiting.sort((a, b) => a.crashes - b.crashes);
      const first = waiting[0];
      if (first === undefined || suspects > 0 || starting >= (first.crashes > 0 ? 1 : most)) return;
      waiting.shift();
      starting++;
      if (first.crashes > 0) suspects++;
      first.enter();
    }
  };
  const leave = (crashes: number) => {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      starting--;
      if (crashes > 0) suspects--;
      admit();
    };
  };

  return {
    enter: (crashes) =>
      new Promise((resolve) => {
        waiting.push({ crashes, enter: () => resolve(leave(crashes)) });
        // Everybody who asks in the same turn is weighed together.
        queueMicrotask(admit);
      }),
  };
}
