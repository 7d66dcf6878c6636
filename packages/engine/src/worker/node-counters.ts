/** Counters of one node on one worker (P9). They are part of the commit, as absolute numbers. */
import { ByteReader, ByteWriter } from '@millrace/protocol';

export const COUNTER_NAMES = [
  'delivered',
  'withOutput',
  'withoutOutput',
  'droppedLate',
  'late',
  'deadLettered',
  'producedByRecords',
  'producedByTimers',
  'timersFired',
  'duplicates',
  'setAside',
  'waiting',
  'timersDeadLettered',
] as const;

export type CounterName = (typeof COUNTER_NAMES)[number];
export type NodeCounters = Record<CounterName, number>;

export function zeroCounters(): NodeCounters {
  return Object.fromEntries(COUNTER_NAMES.map((name) => [name, 0])) as NodeCounters;
}

/** Asked of every node for every bundle. */
export function sameCounters(a: NodeCounters, b: NodeCounters): boolean {
  for (const name of COUNTER_NAMES) if (a[name] !== b[name]) return false;
  return true;
}

export function encodeCounters(counters: NodeCounters): Uint8Array {
  const w = new ByteWriter(64);
  for (const name of COUNTER_NAMES) w.varint(counters[name]);
  return w.take();
}

export function decodeCounters(bytes: Uint8Array): NodeCounters {
  const r = new ByteReader(bytes);
  return Object.fromEntries(COUNTER_NAMES.map((name) => [name, r.done ? 0 : r.varint()])) as NodeCounters;
}
