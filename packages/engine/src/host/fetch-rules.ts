/**
 * What a worker may ask of the store: state of its own keys, in answers that a frame can carry. Everything else
 * it holds itself or is handed at its start.
 */
import type { RunPlan } from '@millrace/graph';
import { type FetchResult, type PrefixScan, spaceOf } from '@millrace/protocol';
import { checkOwner } from './frame-rules.ts';
import type { PagedStore } from './paged/paged-store.ts';

export interface FetchRulesOptions {
  readonly plan: RunPlan;
  readonly slot: number;
  readonly slots: number;
  readonly nodeNumbers: readonly number[];
}

/** Scans answered in one go: what they touch is in memory together. */
const SCANS = 512;
/** Lengths of keys and values come on top in the frame. */
const MOST_ANSWER_BYTES = 48 * 1024 * 1024;

/** Throws when one of the scans is not this worker's to ask. */
export function fetchRules(options: FetchRulesOptions): (scans: readonly PrefixScan[]) => void {
  const { plan, slot, slots, nodeNumbers } = options;
  const spaces = new Set(
    plan.nodes
      .filter((node) => node.kind === 'computation')
      .map((node) => spaceOf(nodeNumbers[node.index] as number, 'state')),
  );
  return (scans) => {
    for (const { space, prefix } of scans) {
      if (!spaces.has(space)) throw new Error(`space ${space} is not the state of one of its computations`);
      checkOwner(prefix, 0, prefix.length, slot, slots);
    }
  };
}

export async function answerFetch(paged: PagedStore, scans: readonly PrefixScan[]): Promise<FetchResult[]> {
  const results: FetchResult[] = [];
  const budget = { bytes: MOST_ANSWER_BYTES };
  for (let i = 0; i < scans.length; i += SCANS)
    results.push(...(await paged.scan(scans.slice(i, i + SCANS), budget)));
  return results;
}
