/** What the stages of a worker wait for, and whether some of it can go on by now. */
import type { ComputationStage } from './computation-stage.ts';
import type { WorkerStages } from './worker-stages.ts';

type Stages = Pick<WorkerStages, 'computations'>;

export interface WaitingWork {
  /** Inputs that wait, and `async` calls in flight. */
  readonly waiting: number;
  readonly running: number;
  /** Wall times in ms: when something can go on by itself, and the first wall timer of these. */
  readonly wakeAt: number | undefined;
  readonly nextWallTimer: number | undefined;
}

export function waitingWork({ computations }: Stages): WaitingWork {
  let waiting = 0;
  let running = 0;
  let wakeAt: number | undefined;
  let nextWallTimer: number | undefined;
  for (const { runtime } of computations) {
    waiting += runtime.waiting;
    running += runtime.running;
    wakeAt = earliest(wakeAt, runtime.nextRetry);
    nextWallTimer = earliest(nextWallTimer, runtime.nextWallTimer);
  }
  return { waiting, running, wakeAt: earliest(wakeAt, nextWallTimer), nextWallTimer };
}

/** A call has settled, a back-off has ended or a wall timer is due. */
export function canGoOn({ computations }: Stages, now: number): boolean {
  for (const { runtime } of computations) {
    if (runtime.hasReady) return true;
    const due = earliest(runtime.nextRetry, runtime.nextWallTimer);
    if (due !== undefined && due <= now) return true;
  }
  return false;
}

/** Wall timers of one stage that fire at the end of all input, up to a time. */
export interface FinalWall {
  readonly stage: ComputationStage;
  readonly limit: number;
}

/**
 * W6: those of the stage whose timer is the earliest, up to the first of any other stage: what they produce may pass
 * other workers before it comes back to one here whose timer is later.
 */
export function finalWallOf({ computations }: Stages, limit: number): FinalWall | undefined {
  let first: FinalWall | undefined;
  let firstTime = Number.POSITIVE_INFINITY;
  let next = limit;
  for (const stage of computations) {
    const time = stage.runtime.nextWallTimer ?? Number.POSITIVE_INFINITY;
    if (time < firstTime) {
      next = Math.min(next, firstTime);
      firstTime = time;
      first = { stage, limit };
    } else next = Math.min(next, time);
  }
  return first && { ...first, limit: next };
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b !== undefined && b < a ? b : a;
}
