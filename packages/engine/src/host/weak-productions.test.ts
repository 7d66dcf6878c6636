import { BundleBodyWriter, ByteWriter, META_SPACE, metaKeys, readBundleBody } from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../testing/memory-store.ts';
import { planOf } from '../testing/plans.ts';
import { Committer } from './committer.ts';
import { Deliveries, slotTarget } from './deliveries.ts';
import { CHECKPOINT_AFTER_MS, UNSTORED, WeakProductions } from './weak-productions.ts';
import type { WorkerLink } from './worker-link.ts';

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector' },
    { id: 'n_weak', kind: 'computation', productions: 'weak' },
    { id: 'n_end', kind: 'computation' },
    { id: 'n_out', kind: 'sink' },
  ],
  [
    { from: 'n_in', to: 'n_weak' },
    { from: 'n_weak', to: 'n_end' },
    { from: 'n_weak', to: 'n_out' },
  ],
);
const STRONG = 0;
const WEAK = 1;
const SLOTS = 3;

interface Made {
  /** Up to here it has taken what is for it. */
  readonly taken?: number;
  /** By stream, to which slot. */
  readonly sends?: readonly (readonly [stream: number, slot: number])[];
}

function bodyOf(slot: number, { taken, sends = [] }: Made) {
  const writer = new BundleBodyWriter();
  writer.put(META_SPACE, metaKeys.counters(slot, 1), new Uint8Array(3));
  if (taken !== undefined) {
    const mark = new ByteWriter(8);
    mark.f64(taken);
    writer.put(META_SPACE, metaKeys.delivered(slot), mark.take());
  }
  for (const [stream, to] of sends)
    writer.batch({
      node: plan.streams[stream]?.to ?? 0,
      stream,
      slot: to,
      count: 2,
      bytes: new Uint8Array(40),
    });
  writer.deadLetter('{}');
  return readBundleBody(writer.take());
}

/** Three workers that take at once what is for them. */
async function rigged({ isMoving = false } = {}) {
  const store = new MemoryStore();
  const deliveries = new Deliveries();
  const killed: string[] = [];
  const handed: string[] = [];
  const committed: number[] = [];
  let now = 0;
  const links = await Promise.all(
    Array.from({ length: SLOTS }, async (_, slot) => {
      const sequencer = await store.claimWorker(slot);
      const link = { slot, sequencer, state: 'running', isFull: false };
      return Object.assign(link, { kill: (reason: string) => void killed.push(`${slot}: ${reason}`) });
    }),
  );
  const weak = new WeakProductions({
    plan,
    deliveries,
    workers: links.map((link, slot) => ({
      link: link as unknown as WorkerLink,
      pump: () => {
        for (let next = deliveries.take(slotTarget(slot)); next; next = deliveries.take(slotTarget(slot)))
          handed.push(`${next.position} to ${slot}`);
      },
    })),
    isMoving: () => isMoving,
    now: () => now,
  });
  const events = {
    committed: ({ body, link }: { body: ReturnType<typeof bodyOf>; link: WorkerLink }, position: number) => {
      committed.push(position);
      deliveries.add(position, body.batches, now);
      const made = taken.get(`${link.slot} ${position}`);
      if (made !== undefined) deliveries.acknowledge(slotTarget(link.slot), made);
    },
    fenced: () => undefined,
    took: () => undefined,
    failed: (error: Error) => {
      throw error;
    },
  };
  const committer = new Committer(store, 0, events, weak);
  const taken = new Map<string, number>();
  let submitted = 0;
  const numbers = links.map(() => 0);
  const submit = async (slot: number, made: Made = {}) => {
    submitted++;
    if (made.taken !== undefined) taken.set(`${slot} ${submitted}`, made.taken);
    const body = bodyOf(slot, made);
    const bundleNumber = ++(numbers as number[])[slot]!;
    committer.submit({
      link: links[slot] as unknown as WorkerLink,
      frame: { kind: 'bundle', bundleNumber, throughSequence: 0, watermarks: [], body: body.bytes },
      body,
      origin: undefined,
    });
    await settled();
  };
  const later = async (ms: number) => {
    now += ms;
    committer.look();
    await settled();
  };
  /** By position: the slots of the batches that are stored. */
  const stored = () =>
    store.log.map(({ position, body }) => [position, readBundleBody(body).batches.map(({ slot }) => slot)]);
  return { store, links, deliveries, committer, weak, submit, later, stored, handed, committed, killed };
}

async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

describe('WeakProductions', () => {
  it('WP3, P5: what was answered is left out, and all of a chain is one transaction', async () => {
    const { submit, stored, committed, handed, store, weak } = await rigged();
    const groups: number[] = [];
    store.beforeCommit = async (bundles) => void groups.push(bundles.length);
    await submit(0, { sends: [[WEAK, 1]] });
    await submit(1, { taken: 1, sends: [[WEAK, 2]] });
    expect([committed, handed]).toEqual([[], ['1 to 1', '2 to 2']]);
    await submit(2, { taken: 2 });
    expect(committed).toEqual([1, 2, 3]);
    expect(groups).toEqual([3]);
    expect(stored()).toEqual([
      [1, []],
      [2, []],
      [3, []],
    ]);
    expect(readBundleBody(store.log[0]?.body as Uint8Array).deadLetters).toEqual(['{}']);
    expect(weak.counts).toEqual({ early: 4, checkpointed: 0 });
  });

  it('WP4: after the threshold it is stored, and its receiver is waited for again only once it has acknowledged', async () => {
    const { submit, later, stored, committed, deliveries } = await rigged();
    await submit(0, { sends: [[WEAK, 1]] });
    await later(CHECKPOINT_AFTER_MS - 1);
    expect(committed).toEqual([]);
    await later(1);
    expect(stored()).toEqual([[1, [1]]]);
    expect(deliveries.isEmpty(slotTarget(1))).toBe(false);
    await submit(0, { sends: [[WEAK, 1]] });
    expect(committed).toEqual([1, 2]);
    await submit(1, { taken: 2 });
    expect(deliveries.isEmpty(slotTarget(1))).toBe(true);
    await submit(0, { sends: [[WEAK, 1]] });
    expect(committed).toEqual([1, 2, 3]);
  });

  it('WP4: nobody waits for a worker that cannot answer, nor where the host itself has something to append', async () => {
    const { submit, links, committer, committed } = await rigged();
    const [, second] = links;
    Object.assign(second ?? {}, { isFull: true });
    await submit(0, { sends: [[WEAK, 1]] });
    expect(committed).toEqual([1]);
    Object.assign(second ?? {}, { isFull: false });
    await submit(2, { taken: 1 });
    await submit(0, { sends: [[WEAK, 2]] });
    expect(committed).toEqual([1, 2]);
    const own = committer.submitOwn({
      append: async () => 'committed',
      committed: (at) => committed.push(at),
    });
    await settled();
    expect(await own).toBe('committed');
    expect(committed).toEqual([1, 2, 3, 4]);
  });

  it('WP1, P11: nothing goes out past what the same worker is to get from a bundle in front', async () => {
    const { submit, handed, store } = await rigged();
    let letGo = (): void => undefined;
    store.beforeCommit = () =>
      new Promise((resolve) => {
        letGo = resolve;
      });
    await submit(2, { sends: [[STRONG, 1]] });
    await submit(0, { sends: [[WEAK, 1]] });
    await submit(0, {
      sends: [
        [WEAK, 2],
        [STRONG, 2],
      ],
    });
    expect(handed).toEqual([]);
    letGo();
  });

  it('MV1: while keys move all goes the stored way', async () => {
    const { submit, stored, handed } = await rigged({ isMoving: true });
    await submit(0, { sends: [[WEAK, 1]] });
    expect([stored(), handed]).toEqual([[[1, [1]]], []]);
  });

  it('WP2, CM3: whoever was given what is lost is ended, and what was made of it is not committed', async () => {
    const { submit, links, committer, committed, killed, deliveries } = await rigged();
    await submit(0, { sends: [[WEAK, 1]] });
    await submit(1, { taken: 1, sends: [[WEAK, 2]] });
    await committer.settle(links[0] as unknown as WorkerLink);
    expect(killed).toEqual([`1: ${UNSTORED}`, `2: ${UNSTORED}`]);
    expect([committed, committer.idle]).toEqual([[], true]);
    expect([1, 2].map((slot) => deliveries.isEmpty(slotTarget(slot)))).toEqual([true, true]);
    await submit(0);
    expect(committed).toEqual([3]);
  });
});
