/**
 * What a worker may write of requests that were posted to an injector: entries of injectors whose requests come to
 * it. The host answers clients with what is in them, so none may be one that cannot be read again (H5).
 */
import type { RunPlan } from '@millrace/graph';
import { ByteReader, decodeRemembered, readRequestTimeKey, spaceOf } from '@millrace/protocol';
import { ingestSettings } from './ingest-settings.ts';

export interface RequestRulesOptions {
  readonly plan: RunPlan;
  readonly nodeNumbers: readonly number[];
  readonly partitions: readonly { readonly node: number; readonly name: string }[];
}

type Check = (key: Uint8Array, value: Uint8Array | undefined) => void;

/** Longer than any idempotency key that is taken. */
const LONGEST_KEY = 1024;
const MINUTE_BYTES = 4;

/** By space. */
export function requestRules({
  plan,
  nodeNumbers,
  partitions,
}: RequestRulesOptions): ReadonlyMap<number, Check> {
  const rules = new Map<number, Check>();
  for (const index of new Set(partitions.map(({ node }) => node))) {
    const node = plan.nodes[index];
    if (node === undefined || ingestSettings(node).format !== 'requests') continue;
    rules.set(spaceOf(nodeNumbers[index] as number, 'requests'), checkEntry);
    rules.set(spaceOf(nodeNumbers[index] as number, 'requestTimes'), checkTime);
  }
  return rules;
}

function checkEntry(key: Uint8Array, value: Uint8Array | undefined): void {
  checkKey(key, 0);
  if (value === undefined) throw new Error('what is remembered of a request is not a worker’s to remove');
  decodeRemembered(new ByteReader(value));
}

function checkTime(key: Uint8Array, value: Uint8Array | undefined): void {
  checkKey(key, MINUTE_BYTES);
  readRequestTimeKey(key);
  if (value?.length !== 0) throw new Error('the time of a request with something in it');
}

function checkKey(key: Uint8Array, from: number): void {
  if (key.length <= from || key.length > from + LONGEST_KEY)
    throw new Error(`a request with a key of ${key.length - from} bytes`);
}
