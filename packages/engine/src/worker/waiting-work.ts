/** What the stages of a worker wait for, and whether some of it can go on by now. */
import type { WorkerStages } from './worker-stages.ts';

type Stages = Pick<WorkerStages, 'computations' | 'injectors'>;

export interface WaitingWork {
  /** Inputs that wait, and `async` calls in flight. */
  readonly waiting: number;
  readonly running: number;
  /** Wall times in ms: when something can go on by itself, and the first wall timer of these. */
  readonly wakeAt: number | undefined;
  readonly nextWallTimer: number | undefined;
}

export function waitingWork({ computations, injectors }: Stages): WaitingWork {
  let waiting = 0;
  let running = 0;
  let wakeAt: number | undefined;
  let nextWallTimer: number | undefined;
  for (const injector of injectors) wakeAt = earliest(wakeAt, injector.idleAt);
  for (const { runtime } of computations) {
    waiting += runtime.waiting;
    running += runtime.running;
    wakeAt = earliest(wakeAt, runtime.nextRetry);
    nextWallTimer = earliest(nextWallTimer, runtime.nextWallTimer);
  }
  return { waiting, running, wakeAt: earliest(wakeAt, nextWallTimer), nextWallTimer };
}

/** A call has settled, a back-off has ended or a wall timer is due. */
export function canGoOn({ computations }: Pick<Stages, 'computations'>, now: number): boolean {
  for (const { runtime } of computations) {
    if (runtime.hasReady) return true;
    const due = earliest(runtime.nextRetry, runtime.nextWallTimer);
    if (due !== undefined && due <= now) return true;
  }
  return false;
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b !== undefined && b < a ? b : a;
}
