/**
 * What a bundle of a worker may touch. A pipeline's code shares a process with the data plane, so whatever
 * comes out of it is checked here: it can spoil its own pipeline's values, and nothing else.
 *
 * Whatever the host itself reads later (marks, counters, rows of sinks, dead letters) is checked before it is
 * committed: a faulty one in the log would end every later start of the pipeline, too.
 */
import type { RunPlan } from '@millrace/graph';
import {
  AWAY_SLOT,
  type Batch,
  type BundleBody,
  ByteReader,
  type ChangeCursor,
  DUE_HEAD,
  dueSpaceOf,
  META_SPACE,
  readBundleBody,
  SINK_SLOT,
  sinkTextIn,
  walkChanges,
} from '@millrace/protocol';
import { checkLetter } from './letter-rules.ts';
import { type MetaFacts, MetaRules } from './meta-rules.ts';
import { requestRules } from './request-rules.ts';

export interface FrameRules {
  /** Parses a body, or throws with what is wrong. */
  check(body: Uint8Array, facts: MetaFacts): BundleBody;
}

export interface FrameRulesOptions {
  readonly plan: RunPlan;
  readonly slot: number;
  readonly slots: number;
  /** Equal intervals, if not given. */
  readonly owners?: Owners;
  readonly nodeNumbers: readonly number[];
  /** Partitions whose chunks come to this worker. */
  readonly partitions: readonly { readonly node: number; readonly name: string }[];
  /** Sinks that take no rows: what is sent to them would wait for ever. */
  readonly silentSinks: ReadonlySet<number>;
}

/** Whose the keys of a node are, by the upper half of their hash. */
export interface Owners {
  /** `node`: plan index. */
  ownerOf(node: number, high: number): number;
}

export function equalOwners(slots: number): Owners {
  return { ownerOf: (_, high) => Math.floor((high * slots) / 4294967296) };
}

/** A body must go out again in a frame of its receiver, whose header may be longer. */
const LARGEST_BODY = 64 * 1024 * 1024 - 64 * 1024;
const MOST_CHANGES = 1 << 21;
const MOST_BATCHES = 1 << 18;
/** The shortest letter is longer. */
const LETTER_BYTES = 32;
/** key length · timestamp · id length · pane · value tag */
const RECORD_BYTES = 12;

export function frameRules(options: FrameRulesOptions): FrameRules {
  const { plan, slot, slots, nodeNumbers } = options;
  const owners = options.owners ?? equalOwners(slots);
  const computations = plan.nodes.filter((node) => node.kind === 'computation');
  const numberOf = (index: number) => nodeNumbers[index] as number;
  /** With the plan index of their node. */
  const spaces = new Map(
    computations.flatMap(({ index }) =>
      [0, 1, 2, 3].map((kind) => [numberOf(index) * 4 + kind, index] as const),
    ),
  );
  const dueSpaces = new Map(computations.map(({ index }) => [dueSpaceOf(numberOf(index)), index] as const));
  const nodes = new Set(plan.nodes.map((node) => node.id));
  const meta = new MetaRules(options);
  const requests = requestRules(options);

  function checkChange(change: ChangeCursor, facts: MetaFacts): void {
    const { space, bytes, keyStart, keyEnd } = change;
    if (space === META_SPACE) return meta.check(change.key, change.value, facts);
    const checkRequest = requests.get(space);
    if (checkRequest !== undefined) return checkRequest(change.key, change.value);
    const dueOf = dueSpaces.get(space);
    if (dueOf !== undefined) return checkDue(change, dueOf);
    const node = spaces.get(space);
    if (node === undefined) throw new Error(`space ${space} is not one of this pipeline's computations`);
    checkOwner(bytes, keyStart, keyEnd, slot, owners, node);
  }

  /** A successor reads it as what it is, and asks only for its own. */
  function checkDue({ bytes, keyStart, keyEnd }: ChangeCursor, node: number): void {
    if ((bytes[keyStart] as number) > 1) throw new Error('a timer of no clock');
    checkOwner(bytes, keyStart + DUE_HEAD, keyEnd, slot, owners, node);
  }

  function checkBatch(batch: Batch): void {
    const stream = plan.streams[batch.stream];
    const node = plan.nodes[batch.node];
    if (stream === undefined || node === undefined || stream.to !== batch.node)
      throw new Error(
        `a batch for stream ${batch.stream} and node ${batch.node}, which do not belong together`,
      );
    const sink = node.kind === 'sink';
    if (sink ? batch.slot !== SINK_SLOT : batch.slot >= slots && batch.slot !== AWAY_SLOT)
      throw new Error(`a batch for slot ${batch.slot} of ${slots}`);
    if (options.silentSinks.has(batch.node))
      throw new Error(`a batch for the sink "${node.name}", which takes no rows`);
    if (batch.count === 0 || batch.count * (sink ? 1 : RECORD_BYTES) > batch.bytes.length)
      throw new Error(`a batch of ${batch.count} records in ${batch.bytes.length} bytes`);
    if (sink) checkRows(batch);
  }

  return {
    check(bytes, facts) {
      refuseCrowds(bytes);
      const body = readBundleBody(bytes);
      walkChanges(body, (change) => checkChange(change, facts));
      const targets = new Set<number>();
      for (const batch of body.batches) {
        checkBatch(batch);
        const target = batch.stream * 65536 + batch.slot;
        if (targets.has(target))
          throw new Error(`two batches for stream ${batch.stream} and slot ${batch.slot}`);
        targets.add(target);
      }
      for (const letter of body.deadLetters) checkLetter(letter, nodes);
      return body;
    },
  };
}

/** The upper half of the hash that begins here. */
export function highAt(bytes: Uint8Array, start: number): number {
  return (
    (bytes[start] as number) * 16777216 +
    (bytes[start + 1] as number) * 65536 +
    (bytes[start + 2] as number) * 256 +
    (bytes[start + 3] as number)
  );
}

/** P6: a stored key begins with its hash, and the hash says whose it is. */
export function checkOwner(
  bytes: Uint8Array,
  start: number,
  end: number,
  slot: number,
  owners: Owners,
  node: number,
): void {
  if (end - start < 10) throw new Error('a key without a hash');
  const owner = owners.ownerOf(node, highAt(bytes, start));
  if (owner !== slot) throw new Error(`a key of interval ${owner}, which worker ${slot} does not own`);
}

/** Before anything is made of it: parsing takes far more memory than the bytes do. */
function refuseCrowds(bytes: Uint8Array): void {
  if (bytes.length > LARGEST_BODY)
    throw new Error(`a bundle of ${bytes.length} bytes, ${LARGEST_BODY} at most`);
  const r = new ByteReader(bytes);
  r.u8();
  const changes = r.varint();
  if (changes > MOST_CHANGES) throw new Error(`a bundle of ${changes} changes, ${MOST_CHANGES} at most`);
  r.skip(r.varint());
  const batches = r.varint();
  if (batches > MOST_BATCHES) throw new Error(`a bundle of ${batches} batches, ${MOST_BATCHES} at most`);
  for (let left = batches; left > 0; left--) {
    r.varint();
    r.varint();
    r.skip(2);
    r.varint();
    r.skip(r.varint());
  }
  const letters = r.varint();
  if (letters * LETTER_BYTES > bytes.length - r.offset) throw new Error(`${letters} dead letters in no room`);
}

/**
 * P7: a sink's runner takes rows apart after they are committed, when it is too late to refuse them. A row is
 * one JSON object on one line; its inside is the pipeline's own.
 */
export function checkRows({ bytes, count }: Pick<Batch, 'bytes' | 'count'>): void {
  const text = sinkTextIn(bytes);
  if (text !== undefined) return checkLines(text, count);
  const r = new ByteReader(bytes);
  // The next one anywhere: ids and keys may hold some, and looking once for each row would not end.
  let newline = -1;
  for (let left = count; left > 0; left--) {
    r.skip(r.varint());
    r.skip(r.varint());
    if (!Number.isFinite(r.f64())) throw new Error('a row for a sink at no time');
    const length = r.varint();
    const start = r.offset;
    r.skip(length);
    if (length < 2 || bytes[start] !== OPEN || bytes[r.offset - 1] !== CLOSE)
      throw new Error('a row for a sink that is no JSON object');
    if (newline < start) newline = lineEnd(bytes, start);
    if (newline < r.offset) throw new Error('a row for a sink that breaks its line');
  }
  if (!r.done) throw new Error(`a batch for a sink holds more than its ${count} rows`);
}

function checkLines(text: Uint8Array, count: number): void {
  let start = 0;
  let lines = 0;
  for (; start < text.length; lines++) {
    const end = lineEnd(text, start);
    if (end === text.length) throw new Error('lines for a sink of which the last has no end');
    if (end - start < 2 || text[start] !== OPEN || text[end - 1] !== CLOSE)
      throw new Error('a row for a sink that is no JSON object');
    start = end + 1;
  }
  if (lines !== count) throw new Error(`a batch for a sink holds ${lines} lines and not ${count}`);
}

function lineEnd(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(NEWLINE, from);
  return at < 0 ? bytes.length : at;
}

const OPEN = 0x7b;
const CLOSE = 0x7d;
const NEWLINE = 0x0a;
