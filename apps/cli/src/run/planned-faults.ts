/**
 * MILLRACE_FAULTS, for the crash sweep: which of this run's processes die where, and which guard is off. Read here
 * and nowhere else; without it no run has faults.
 *
 * With `trace` (a path) every commit is noted there, a line of JSON each, and every kill in `<trace>.kills`. A stalled commit is handed to whoever
 * drives the sweep: its key in `<trace>.stall`, and it goes on once `<trace>.stalled` is there.
 */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultHands, Faults, type FaultVictim } from '@millrace/engine';
import type { Store } from '@millrace/store';

export interface PlannedFaults {
  /** What the store itself leaves out. */
  readonly store: { readonly unlockedSequencerCheck: boolean; readonly segmentBytes?: number | undefined };
  forRun(store: Store): Faults;
}

export function plannedFaults(text: string | undefined): PlannedFaults | undefined {
  if (text === undefined || text === '') return undefined;
  const { trace } = JSON.parse(text) as { trace?: string };
  const { plan } = Faults.read(text, hands(undefined, trace));
  return {
    store: {
      unlockedSequencerCheck: plan.controls?.includes('unlocked-sequencer-check') === true,
      segmentBytes: plan.segmentBytes,
    },
    forRun: (store) => Faults.read(text, hands(store, trace)),
  };
}

function hands(store: Store | undefined, trace: string | undefined): FaultHands {
  const kill = (victim: FaultVictim, pid: number | undefined): void => {
    if (pid === undefined) return;
    if (trace !== undefined) appendFileSync(`${trace}.kills`, `${victim}\n`);
    killPid(pid);
  };
  return {
    killHost: () => kill('host', process.pid),
    killWorker: (pid, as = 'worker') => kill(as, pid),
    killPostgres: () => kill('postgres', store?.serverPid()),
    async stall({ slot, sequencer, bundleNumber }) {
      if (trace === undefined) throw new Error('a commit can only be stalled with a trace');
      writeFileSync(`${trace}.stall`, JSON.stringify({ slot, sequencer, bundleNumber }));
      while (!existsSync(`${trace}.stalled`)) await sleep(10);
    },
    committed(position, slot, slots, watermarks) {
      if (trace === undefined) return;
      appendFileSync(trace, `${JSON.stringify({ position, slot, slots, watermarks })}\n`);
    },
  };
}

function killPid(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It is gone already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
