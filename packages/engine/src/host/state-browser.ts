/**
 * Shows the keys of a computation and what is stored of each, as committed: pages and, over them, what is not
 * folded yet. Reads and never claims; whoever runs the pipeline is not disturbed.
 *
 * Keys lie in the order of their hashes, so a search by the beginning of a key looks at all of them: one answer
 * looks at a bounded number of pages, and says where to go on.
 *
 * Invariants
 *   SB1  one answer is of one position of the log.
 *   SB2  an answer is bounded, in keys, entries and bytes; what was left out is said.
 *   SB3  going on from `next` until there is none shows every key that was there all the while exactly once.
 */
import {
  keyPrefix,
  META_SPACE,
  metaKeys,
  readBundleBody,
  readKeyPrefix,
  readStateKey,
  type SpaceKind,
  type StateEntryKey,
  spaceOf,
  startsWith,
} from '@millrace/protocol';
import type { PipelineStore } from '../ports.ts';
import { createHasher, type Hasher } from '../worker/key-hash.ts';
import { PagedStore, type Slice } from './paged/paged-store.ts';
import { readNumber } from './recovery.ts';

export interface KeySearch {
  /** What the key begins with; empty for all. */
  readonly beginning: string;
  /** `next` of the answer before. */
  readonly after?: Uint8Array | undefined;
  /** At most 500. */
  readonly limit: number;
}

/** A key cut in two by the end of what was looked at may have more than is said here. */
export interface FoundKey {
  readonly key: string;
  /** Of everything stored under it. */
  readonly bytes: number;
  readonly hasState: boolean;
  readonly mapEntries: number;
  readonly timers: number;
  readonly waiting: number;
  readonly changed?: Changed;
}

/**
 * When the newest of what is stored under a key came from the log into its page, wall time in ms; what was removed
 * since leaves no trace. Unfolded: it is in the log only, committed within the last seconds. Undefined: not known.
 */
export type Changed = 'unfolded' | number | undefined;

export interface KeyPage {
  readonly position: number;
  readonly keys: readonly FoundKey[];
  readonly next: Uint8Array | undefined;
}

export interface RawEntry {
  readonly key: Uint8Array;
  /** Empty when `bytes` is more than an answer shows of one value. */
  readonly value: Uint8Array;
  readonly bytes: number;
}

/** What is stored under one key, undecoded: `state-view` makes it readable. */
export interface RawKey {
  readonly position: number;
  /** Its value, its far timers, then its maps' entries. */
  readonly state: readonly RawEntry[];
  readonly timers: readonly RawEntry[];
  readonly parked: readonly RawEntry[];
  readonly holds: readonly RawEntry[];
  readonly changed?: Changed;
  /** More map entries, timers or waiting records are stored than are shown. */
  readonly incomplete: boolean;
}

export interface PipelineState {
  /** Undefined for a node nothing was ever stored of. */
  keys(node: string, search: KeySearch): Promise<KeyPage | undefined>;
  key(node: string, key: string): Promise<RawKey | undefined>;
  /** The keys with the most bytes, of those looked at within `limitMs`. */
  biggest(node: string, count: number, limitMs: number): Promise<BiggestKeys | undefined>;
}

export interface BiggestKeys {
  readonly position: number;
  /** Largest first. */
  readonly keys: readonly FoundKey[];
  readonly lookedAt: number;
  /** False: there was no time to look at all. */
  readonly complete: boolean;
}

/** What can be read beside whoever runs the pipeline. */
export type StateStore = Pick<
  PipelineStore,
  'foldedThrough' | 'pageDirectory' | 'readPages' | 'bundlesAfter'
>;

const KINDS = ['state', 'timers', 'parked', 'holds'] as const satisfies readonly SpaceKind[];
const PAGES = 32;
const MOST_KEYS = 500;
const MOST_ENTRIES = 500;
const MOST_VALUE_BYTES = 256 * 1024;
const MOST_ANSWER_BYTES = 2 * 1024 * 1024;

/** Of a pipeline that nobody runs just now. Holds what is not folded in memory: let go of it soon. */
export async function openState(store: StateStore): Promise<PipelineState> {
  const paged = await PagedStore.open({
    foldedThrough: () => store.foldedThrough(),
    pageDirectory: () => store.pageDirectory(),
    readPages: (space, starts) => store.readPages(space, starts),
    fold: () => Promise.reject(new Error('state that is only looked at is not folded')),
  });
  const folded = paged.through;
  for await (const bundles of store.bundlesAfter(folded))
    for (const { position, body } of bundles) paged.apply(position, readBundleBody(body));
  return stateOf(paged);
}

export function stateOf(paged: PagedStore): PipelineState {
  const hasher = createHasher();
  const numberOf = async (node: string) => readNumber(await paged.get(META_SPACE, metaKeys.nodeNumber(node)));
  return {
    async keys(node, search) {
      const number = await numberOf(node);
      return number === undefined ? undefined : findKeys(paged, number, search);
    },
    async key(node, key) {
      const number = await numberOf(node);
      return number === undefined ? undefined : readKey(paged, number, prefixOf(await hasher, key));
    },
    async biggest(node, most, limitMs) {
      const number = await numberOf(node);
      return number === undefined ? undefined : findBiggest(paged, number, most, limitMs);
    },
  };
}

async function findKeys(paged: PagedStore, number: number, search: KeySearch): Promise<KeyPage> {
  const from = search.after ?? new Uint8Array(0);
  const limit = Math.min(MOST_KEYS, search.limit);
  const slices = await paged.slices(
    KINDS.map((kind) => ({ space: spaceOf(number, kind), from, pages: PAGES })),
  );
  // Only up to where every space was looked at.
  const end = slices.reduce<Uint8Array | undefined>((least, { next }) => earlier(least, next), undefined);
  const found = new Map<string, Gathered>();
  slices.forEach((slice, i) => {
    gather(found, slice, KINDS[i] as SpaceKind, end);
  });
  const matching = [...found.values()]
    .filter(({ key }) => key.startsWith(search.beginning))
    .sort((a, b) => Buffer.compare(a.prefix, b.prefix));
  const shown = matching.slice(0, limit);
  const cut = matching.length > limit;
  const last = (cut ? shown : [...found.values()].sort((a, b) => Buffer.compare(a.prefix, b.prefix))).at(-1);
  const next = cut ? behind((last as Gathered).prefix) : goOn(end, last?.prefix);
  return { position: paged.through, keys: shown.map(({ prefix: _, ...key }) => key), next };
}

async function findBiggest(
  paged: PagedStore,
  number: number,
  most: number,
  limitMs: number,
): Promise<BiggestKeys> {
  const until = performance.now() + limitMs;
  let keys: FoundKey[] = [];
  let lookedAt = 0;
  let after: Uint8Array | undefined;
  for (;;) {
    const page = await findKeys(paged, number, { beginning: '', limit: MOST_KEYS, after });
    lookedAt += page.keys.length;
    keys = [...keys, ...page.keys].sort((a, b) => b.bytes - a.bytes).slice(0, most);
    after = page.next;
    if (after === undefined || performance.now() > until)
      return { position: page.position, keys, lookedAt, complete: after === undefined };
    // Whoever commits shares this thread.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

interface Gathered extends FoundKey {
  readonly prefix: Uint8Array;
  bytes: number;
  hasState: boolean;
  mapEntries: number;
  timers: number;
  waiting: number;
  changed?: Changed;
}

function gather(
  found: Map<string, Gathered>,
  slice: Slice,
  kind: SpaceKind,
  end: Uint8Array | undefined,
): void {
  for (const { key, value, changed } of slice.entries) {
    if (end !== undefined && Buffer.compare(key, end) >= 0) return;
    const { key: name, end: prefixEnd } = readKeyPrefix(key);
    const entry = found.get(name) ?? {
      key: name,
      prefix: key.slice(0, prefixEnd),
      bytes: 0,
      hasState: false,
      mapEntries: 0,
      timers: 0,
      waiting: 0,
    };
    found.set(name, entry);
    entry.bytes += key.length + value.length;
    entry.changed = later(entry.changed, changed);
    if (kind === 'timers') entry.timers++;
    else if (kind === 'parked') entry.waiting++;
    else if (kind === 'state') count(entry, readStateKey(key, prefixEnd));
  }
}

function count(entry: Gathered, place: StateEntryKey): void {
  if (place.kind === 'state') entry.hasState = true;
  else if (place.kind === 'timer') entry.timers++;
  else entry.mapEntries++;
}

async function readKey(paged: PagedStore, number: number, prefix: Uint8Array): Promise<RawKey | undefined> {
  const results = await paged.scan(
    KINDS.map((kind) => ({ space: spaceOf(number, kind), prefix, limit: MOST_ENTRIES })),
  );
  const room = { bytes: MOST_ANSWER_BYTES };
  const [state = [], timers = [], parked = [], holds = []] = results.map(({ entries }) =>
    shorten(entries, room),
  );
  if (state.length + timers.length + parked.length + holds.length === 0) return undefined;
  const shown = [state, timers, parked, holds].reduce((sum, list) => sum + list.length, 0);
  const read = results.reduce((sum, { entries }) => sum + entries.length, 0);
  const incomplete = shown < read || results.some(({ complete }) => !complete);
  const changed = results
    .flatMap(({ entries }) => entries)
    .reduce<Changed>((newest, entry) => later(newest, entry.changed), undefined);
  return { position: paged.through, state, timers, parked, holds, changed, incomplete };
}

/** SB2: drops what is too long to show, and all that would make the answer too long. */
function shorten(entries: Slice['entries'], room: { bytes: number }): RawEntry[] {
  const kept: RawEntry[] = [];
  for (const { key, value } of entries) {
    const shown = value.length > MOST_VALUE_BYTES ? new Uint8Array(0) : value;
    room.bytes -= key.length + shown.length;
    if (room.bytes < 0) break;
    // Copies: what is shown must not keep a page in memory, nor send all of it to another process.
    kept.push({ key: new Uint8Array(key), value: new Uint8Array(shown), bytes: value.length });
  }
  return kept;
}

function later(a: Changed, b: Changed): Changed {
  if (a === 'unfolded' || b === 'unfolded') return 'unfolded';
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function prefixOf(hasher: Hasher, key: string): Uint8Array {
  return keyPrefix(key, hasher.keyHash(key));
}

function earlier(a: Uint8Array | undefined, b: Uint8Array | undefined): Uint8Array | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Buffer.compare(a, b) <= 0 ? a : b;
}

/** SB3: a page may end within a key that was shown already. */
function goOn(end: Uint8Array | undefined, last: Uint8Array | undefined): Uint8Array | undefined {
  if (end === undefined) return undefined;
  return last !== undefined && startsWith(end, last) ? behind(last) : new Uint8Array(end);
}

/** The first place behind everything stored under a key; its prefix ends with 01. */
function behind(prefix: Uint8Array): Uint8Array {
  const place = new Uint8Array(prefix);
  place[place.length - 1] = (place[place.length - 1] as number) + 1;
  return place;
}
