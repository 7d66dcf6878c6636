/**
 * Which meta entries a worker may write, and with what in them. The host reads these itself: a mark that is none
 * would be met again at every start, and one too far ahead would let go of records nobody has taken (P9).
 */
import type { RunPlan } from '@millrace/graph';
import { AWAY_SLOT, ByteReader, decodeSourceMark, decodeValue, metaKeys } from '@millrace/protocol';
import { decodeNamedSums } from '../worker/named-counts.ts';
import { decodeCounters } from '../worker/node-counters.ts';
import { decodeStreamCount } from '../worker/stream-counts.ts';
import { latin1 } from './paged/page.ts';

/** What the host knows of the worker at this moment. */
export interface MetaFacts {
  /** Highest log position handed to this worker. */
  readonly deliveredThrough: number;
  /** The same in the channel of an interval that moves to it; 0: it was handed nothing. */
  readonly awayThrough?: number;
}

export interface MetaRulesOptions {
  readonly plan: RunPlan;
  readonly slot: number;
  readonly nodeNumbers: readonly number[];
  readonly partitions: readonly { readonly node: number; readonly name: string }[];
}

type Check = (value: Uint8Array, facts: MetaFacts) => boolean;

export class MetaRules {
  /** By key; nothing else is a worker's to write. */
  readonly #checks = new Map<string, Check>();

  constructor({ plan, slot, nodeNumbers, partitions }: MetaRulesOptions) {
    for (const { index } of plan.nodes) {
      const number = nodeNumbers[index] as number;
      this.#checks.set(latin1(metaKeys.counters(slot, number)), areCounters);
      this.#checks.set(latin1(metaKeys.watermarks(slot, number)), isWatermark);
      this.#checks.set(latin1(metaKeys.named(slot, number)), areNamedSums);
    }
    for (const { id } of plan.streams) this.#checks.set(latin1(metaKeys.stream(slot, id)), isStreamCount);
    for (const { node, name } of partitions)
      this.#checks.set(latin1(metaKeys.source(nodeNumbers[node] as number, name)), isSourceMark);
    this.#checks.set(latin1(metaKeys.delivered(slot)), (value, facts) =>
      isDeliveredMark(value, facts.deliveredThrough),
    );
    this.#checks.set(latin1(metaKeys.delivered(AWAY_SLOT)), (value, facts) =>
      isDeliveredMark(value, facts.awayThrough ?? 0),
    );
    this.#checks.set(latin1(metaKeys.intervalStep(slot)), (value) =>
      isDeliveredMark(value, Number.MAX_SAFE_INTEGER),
    );
  }

  check(key: Uint8Array, value: Uint8Array | undefined, facts: MetaFacts): void {
    const check = this.#checks.get(latin1(key));
    const name = () => JSON.stringify(Buffer.from(key.subarray(0, 100)).toString('utf8'));
    if (check === undefined) throw new Error(`meta entry ${name()} is not this worker's to write`);
    if (value === undefined) throw new Error(`meta entry ${name()} is not this worker's to remove`);
    if (!check(value, facts)) throw new Error(`meta entry ${name()} with a value that cannot be`);
  }
}

function areCounters(value: Uint8Array): boolean {
  decodeCounters(value);
  return true;
}

function areNamedSums(value: Uint8Array): boolean {
  decodeNamedSums(value);
  return true;
}

function isStreamCount(value: Uint8Array): boolean {
  decodeStreamCount(value);
  return true;
}

function isWatermark(value: Uint8Array): boolean {
  const mark = whole(value);
  return isRecord(mark) && [mark.in, mark.out].every((time) => time === undefined || isTime(time));
}

function isSourceMark(value: Uint8Array): boolean {
  decodeSourceMark(value);
  return true;
}

function isDeliveredMark(value: Uint8Array, through: number): boolean {
  if (value.length !== 8) return false;
  const position = new ByteReader(value).f64();
  return Number.isSafeInteger(position) && position >= 0 && position <= through;
}

function whole(bytes: Uint8Array): unknown {
  const r = new ByteReader(bytes);
  const value = decodeValue(r);
  if (!r.done) throw new Error('a mark with something behind it');
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && !Number.isNaN(value);
}
