/**
 * Takes up a pipeline where the last host left it (architecture.md "Why it is fast" 3): claim, then list the
 * unfolded bundles, then read rows lazily.
 */
import type { RunPlan } from '@millrace/graph';
import {
  BundleBodyWriter,
  ByteReader,
  ByteWriter,
  META_SPACE,
  metaKeys,
  readBundleBody,
} from '@millrace/protocol';
import type { Faults } from '../faults.ts';
import type { PipelineStore } from '../ports.ts';
import { Deliveries, slotTarget } from './deliveries.ts';
import { type MovePhase, NO_INTERVALS, STEP, type StoredIntervals } from './intervals.ts';
import { PagedStore } from './paged/paged-store.ts';

export interface Recovered {
  hostSequencer: number;
  readonly paged: PagedStore;
  readonly deliveries: Deliveries;
  lastPosition: number;
  /** Slots of the incarnation that wrote last. */
  readonly slots: number | undefined;
  readonly nodeNumbers: readonly number[];
  /** Who owned which keys, and what was moving. */
  readonly intervals: StoredIntervals;
  readonly movePhase: MovePhase;
}

export async function recover(
  store: PipelineStore,
  plan: RunPlan,
  now: () => number,
  faults?: Faults,
): Promise<Recovered> {
  const hostSequencer = await store.claimHost();
  const paged = await PagedStore.open(store);
  const deliveries = new Deliveries();
  const foldedThrough = await store.foldedThrough();
  const released = readNumber(await paged.get(META_SPACE, metaKeys.released())) ?? 0;
  for (const row of await store.undelivered()) deliveries.restoreRow(row, now());
  for await (const bundles of store.bundlesAfter(Math.min(released, foldedThrough))) {
    for (const { position, body } of bundles) {
      const parsed = readBundleBody(body);
      if (position > foldedThrough) paged.apply(position, parsed);
      if (position > released) deliveries.add(position, parsed.batches, now());
    }
  }
  const slots = readNumber(await paged.get(META_SPACE, metaKeys.workers()));
  const nodeNumbers = await numberNodes(paged, plan);
  await forgetAbsent(paged, nodeNumbers);
  const intervals = await readIntervals(paged);
  if (!faults?.without('ignored-delivery-marks')) await acknowledgeMarked(paged, deliveries);
  return {
    hostSequencer,
    paged,
    deliveries,
    lastPosition: await store.lastPosition(),
    slots,
    nodeNumbers,
    intervals,
    movePhase: await phaseOf(paged, intervals),
  };
}

export async function readIntervals(paged: PagedStore): Promise<StoredIntervals> {
  const bytes = await paged.get(META_SPACE, metaKeys.intervals());
  return bytes === undefined ? NO_INTERVALS : (JSON.parse(Buffer.from(bytes).toString()) as StoredIntervals);
}

export function intervalBytes(intervals: StoredIntervals): Uint8Array {
  return new Uint8Array(Buffer.from(JSON.stringify(intervals)));
}

/** What its old and its new owner have committed says how far a move is. */
async function phaseOf(paged: PagedStore, { move }: StoredIntervals): Promise<MovePhase> {
  if (move === undefined) return 'apart';
  const stepOf = async (slot: number) =>
    readNumber(await paged.get(META_SPACE, metaKeys.intervalStep(slot))) ?? 0;
  if ((await stepOf(move.to)) >= move.step + STEP.joined) return 'joined';
  return (await stepOf(move.from)) >= move.step + STEP.given ? 'given' : 'apart';
}

/** Also slots that are no more: their batches lie in the log until it is released, and nobody else takes them. */
async function acknowledgeMarked(paged: PagedStore, deliveries: Deliveries): Promise<void> {
  const prefix = Buffer.from('delivered/');
  const [marks] = await paged.scan([{ space: META_SPACE, prefix, limit: Number.MAX_SAFE_INTEGER }]);
  for (const { key, value } of marks?.entries ?? []) {
    const slot = Number(Buffer.from(key).toString('utf8').slice(prefix.length));
    deliveries.acknowledge(slotTarget(slot), readNumber(value) as number);
  }
}

/** Gives every node its number in the store, once per node id, for ever. */
async function numberNodes(paged: PagedStore, plan: RunPlan): Promise<number[]> {
  const prefix = metaKeys.nodeNumber('');
  const [known] = await paged.scan([{ space: META_SPACE, prefix, limit: Number.MAX_SAFE_INTEGER }]);
  const numbers = new Map(
    (known?.entries ?? []).map(({ key, value }) => [
      Buffer.from(key).toString('utf8').slice('node/'.length),
      readNumber(value) as number,
    ]),
  );
  let next = Math.max(0, ...numbers.values()) + 1;
  return plan.nodes.map((node) => {
    let number = numbers.get(node.id);
    if (number === undefined) {
      number = next++;
      paged.putMeta(metaKeys.nodeNumber(node.id), numberBytes(number));
    }
    return number;
  });
}

/** A node that comes back in a later version begins where its senders are then, not where it once was. */
async function forgetAbsent(paged: PagedStore, nodeNumbers: readonly number[]): Promise<void> {
  const prefix = Buffer.from('watermark/');
  const [stored] = await paged.scan([{ space: META_SPACE, prefix, limit: Number.MAX_SAFE_INTEGER }]);
  const writer = new BundleBodyWriter();
  for (const { key } of stored?.entries ?? []) {
    const number = Number(Buffer.from(key).toString('utf8').split('/')[2]);
    if (!nodeNumbers.includes(number)) writer.remove(META_SPACE, key);
  }
  paged.applyOwn(writer.take());
}

export function numberBytes(value: number): Uint8Array {
  const w = new ByteWriter(8);
  w.f64(value);
  return w.take();
}

export function readNumber(bytes: Uint8Array | undefined): number | undefined {
  return bytes === undefined ? undefined : new ByteReader(bytes).f64();
}
