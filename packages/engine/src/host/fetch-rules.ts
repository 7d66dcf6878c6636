/**
 * What a worker may ask of the store: state of its own keys, in answers that a frame can carry. Everything else
 * it holds itself or is handed at its start.
 */
import type { RunPlan } from '@millrace/graph';
import {
  DUE_HEAD,
  type DueScan,
  dueSpaceOf,
  type FetchResult,
  type PrefixScan,
  spaceOf,
} from '@millrace/protocol';
import { checkOwner, equalOwners, highAt, type Owners } from './frame-rules.ts';
import type { PagedStore, Slice } from './paged/paged-store.ts';

export interface FetchRulesOptions {
  readonly plan: RunPlan;
  readonly slot: number;
  readonly slots: number;
  /** Equal intervals, if not given. */
  readonly owners?: Owners;
  readonly nodeNumbers: readonly number[];
}

const MOST_DUE = 4_096;
/** Pages of far timers looked at in one go. */
const DUE_PAGES = 16;
/** Scans answered in one go: what they touch is in memory together. */
const SCANS = 512;
/** Lengths of keys and values come on top in the frame. */
const MOST_ANSWER_BYTES = 48 * 1024 * 1024;

/** Both throw when what is asked for is not this worker's to ask. */
export interface FetchRules {
  checkScans(scans: readonly PrefixScan[]): void;
  checkDue(scan: DueScan): void;
}

export function fetchRules(options: FetchRulesOptions): FetchRules {
  const { plan, slot, slots, nodeNumbers } = options;
  const owners = options.owners ?? equalOwners(slots);
  const computations = plan.nodes.filter((node) => node.kind === 'computation');
  const numberOf = (index: number) => nodeNumbers[index] as number;
  /** With the plan index of their node. */
  const state = new Map(computations.map(({ index }) => [spaceOf(numberOf(index), 'state'), index] as const));
  const due = new Set(computations.map(({ index }) => dueSpaceOf(numberOf(index))));
  return {
    checkScans(scans) {
      for (const { space, prefix } of scans) {
        const node = state.get(space);
        if (node === undefined) throw new Error(`space ${space} is not the state of one of its computations`);
        checkOwner(prefix, 0, prefix.length, slot, owners, node);
      }
    },
    checkDue({ space, from, limit }) {
      if (!due.has(space)) throw new Error(`space ${space} is not that of one of its computations' timers`);
      if (from.length === 0 || limit > MOST_DUE) throw new Error(`${limit} timers of a clock without a name`);
    },
  };
}

/** The far timers of one clock from a place on, at most so many; of those whose keys' hashes begin with what `isOwn`. */
export async function answerDue(
  paged: PagedStore,
  { space, from, limit }: DueScan,
  isOwn: (high: number) => boolean,
): Promise<FetchResult[]> {
  const entries: { key: Uint8Array; value: Uint8Array }[] = [];
  for (let next: Uint8Array | undefined = from; next !== undefined; ) {
    const [slice]: Slice[] = await paged.slices([{ space, from: next, pages: DUE_PAGES }]);
    for (const entry of slice?.entries ?? []) {
      if (entry.key[0] !== from[0]) return [{ entries, complete: true }];
      if (!isOwn(highAt(entry.key, DUE_HEAD))) continue;
      if (entries.length === limit) return [{ entries, complete: false }];
      entries.push(entry);
    }
    next = slice?.next;
    // Those of other slots may be many, and the commit path shares this thread.
    if (next !== undefined) await new Promise((resolve) => setImmediate(resolve));
  }
  return [{ entries, complete: true }];
}

export async function answerFetch(paged: PagedStore, scans: readonly PrefixScan[]): Promise<FetchResult[]> {
  const results: FetchResult[] = [];
  const budget = { bytes: MOST_ANSWER_BYTES };
  for (let i = 0; i < scans.length; i += SCANS)
    results.push(...(await paged.scan(scans.slice(i, i + SCANS), budget)));
  return results;
}
