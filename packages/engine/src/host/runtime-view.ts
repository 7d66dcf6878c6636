/** A run as whoever looks after it wants to see it: its workers, whose keys are whose, how far each is. */
import { slotStart, type Watermark } from '@millrace/protocol';
import type { WatermarkAuthority } from '../watermark/authority.ts';
import type { BusyKey } from './busiest-keys.ts';
import type { FoldProgress } from './fold-loop.ts';
import type { RememberedCounts } from './pushed-sources.ts';
import type { Recovered } from './recovery.ts';
import type { WorkerSlot } from './worker-slot.ts';

export interface WorkerEnd {
  /** Wall time in ms. */
  readonly at: number;
  readonly reason: string;
}

export interface WorkerView {
  readonly slot: number;
  /** Of the interval of key hashes it owns: sixteen hexadecimal digits, and where the next begins, if there is one. */
  readonly from: string;
  readonly to: string | undefined;
  readonly sequencer: number | undefined;
  readonly state: 'starting' | 'running' | 'dead';
  /** Of the process; stays in the engine host. */
  readonly pid: number | undefined;
  readonly startedAt: number | undefined;
  readonly restarts: number;
  readonly lastEnd: WorkerEnd | undefined;
  /** Committed by this slot since the run began. */
  readonly bundles: number;
  /** Records parked, and `async` calls that run. */
  readonly waiting: number;
  readonly running: number;
  /** Of input it has not read off its pipe. */
  readonly queuedBytes: number;
  /** By plan index. */
  readonly watermarks: readonly Watermark[];
}

export interface RuntimeView {
  readonly hostSequencer: number;
  readonly position: number;
  readonly unfoldedBytes: number;
  readonly undeliveredBytes: number;
  readonly folds: FoldProgress;
  readonly workers: readonly WorkerView[];
  readonly busiestKeys: readonly BusyKey[];
  /** What is asked of the memory of posted requests. */
  readonly remembered: readonly RememberedCounts[];
}

export interface RuntimeParts {
  readonly recovered: Recovered;
  readonly authority: WatermarkAuthority;
  readonly slots: readonly WorkerSlot[];
  readonly folds: FoldProgress;
  readonly busiestKeys: readonly BusyKey[];
  /** What is asked of the memory of posted requests. */
  readonly remembered: readonly RememberedCounts[];
}

export function runtimeView(parts: RuntimeParts): RuntimeView {
  const { recovered, authority, slots, folds, busiestKeys, remembered } = parts;
  const { paged, deliveries, hostSequencer } = recovered;
  return {
    hostSequencer,
    position: paged.through,
    unfoldedBytes: paged.unfoldedBytes,
    undeliveredBytes: deliveries.bytes,
    folds,
    busiestKeys,
    remembered,
    workers: slots.map((slot) => workerView(slot, slots.length, authority)),
  };
}

function workerView(slot: WorkerSlot, slots: number, authority: WatermarkAuthority): WorkerView {
  const { index, link, life } = slot;
  const start = (of: number) => Buffer.from(slotStart(of, slots)).toString('hex');
  return {
    slot: index,
    from: start(index),
    to: index + 1 < slots ? start(index + 1) : undefined,
    sequencer: link?.sequencer,
    state: link?.state ?? 'starting',
    pid: link?.pid,
    startedAt: life.startedAt,
    restarts: Math.max(0, life.starts - 1),
    lastEnd: life.lastEnd,
    bundles: life.bundles,
    waiting: link?.status?.waiting ?? 0,
    running: link?.status?.running ?? 0,
    queuedBytes: link?.queuedBytes ?? 0,
    watermarks: authority.table(index),
  };
}
