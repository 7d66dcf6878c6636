import { BundleBodyWriter, readBundleBody } from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../testing/memory-store.ts';
import { Committer, type Submission } from './committer.ts';

const body = readBundleBody(new BundleBodyWriter().take());

/** The committer reads nothing of a link but whose it is. */
const linkOf = (slot: number, sequencer: number) => ({ slot, sequencer }) as Submission['link'];
const submission = (link: Submission['link'], bundleNumber: number): Submission => ({
  link,
  frame: { kind: 'bundle', bundleNumber, throughSequence: 0, watermarks: [], body: body.bytes },
  body,
  origin: undefined,
});

async function rigged() {
  const store = new MemoryStore();
  const links = [linkOf(0, await store.claimWorker(0)), linkOf(1, await store.claimWorker(1))] as const;
  const told: string[] = [];
  const gates: (() => void)[] = [];
  const sizes: number[] = [];
  store.beforeCommit = (bundles) => {
    sizes.push(bundles.length);
    return new Promise((resolve) => gates.push(resolve));
  };
  const committer = new Committer(store, 10, {
    committed: ({ link, frame }, position) => told.push(`${link.slot}.${frame.bundleNumber}@${position}`),
    fenced: ({ link, frame }) => told.push(`${link.slot}.${frame.bundleNumber} fenced`),
    took: () => undefined,
    failed: (error) => told.push(error.message),
  });
  const pass = async () => {
    gates.shift()?.();
    for (let i = 0; i < 10; i++) await Promise.resolve();
  };
  return { store, links, told, sizes, committer, pass };
}

describe('Committer', () => {
  it('CM1: gathers what comes while a transaction is on its way, and numbers on from the log', async () => {
    const { links, told, sizes, committer, pass } = await rigged();
    committer.submit(submission(links[0], 1));
    committer.submit(submission(links[1], 1));
    committer.submit(submission(links[0], 2));
    expect([sizes, told]).toEqual([[1], []]);
    await pass();
    expect([sizes, told]).toEqual([[1, 2], ['0.1@11']]);
    await pass();
    expect(told).toEqual(['0.1@11', '1.1@12', '0.2@13']);
    expect(committer.idle).toBe(true);
  });

  it('CM1: takes at most eight bundles into one transaction', async () => {
    const { links, sizes, committer, pass } = await rigged();
    for (let i = 1; i <= 20; i++) committer.submit(submission(links[0], i));
    for (let i = 0; i < 4; i++) await pass();
    expect(sizes).toEqual([1, 8, 8, 3]);
  });

  it('P6, CM2: a worker that was replaced is told so for each bundle; its neighbours are committed', async () => {
    const { store, links, told, committer, pass } = await rigged();
    committer.submit(submission(links[0], 1));
    committer.submit(submission(links[1], 1));
    await store.claimWorker(0);
    await pass();
    await pass();
    expect(told).toEqual(['0.1 fenced', '1.1@12']);
    expect(store.log.map(({ slot }) => slot)).toEqual([1]);
  });

  it('P8: settling a dead worker drops what has not left and waits for what has', async () => {
    const { links, told, committer, pass } = await rigged();
    committer.submit(submission(links[0], 1));
    committer.submit(submission(links[0], 2));
    let settled = false;
    const settling = committer.settle(links[0]).then(() => {
      settled = true;
    });
    await Promise.resolve();
    expect(settled).toBe(false);
    await pass();
    await settling;
    expect(told).toEqual(['0.1@11']);
  });

  it('P8: settling a dead worker does not wait for others that never stop committing', async () => {
    const { links, told, committer, pass } = await rigged();
    committer.submit(submission(links[0], 1));
    committer.submit(submission(links[1], 1));
    let settled = false;
    void committer.settle(links[0]).then(() => {
      settled = true;
    });
    committer.submit(submission(links[1], 2));
    await pass();
    expect([settled, told, committer.idle]).toEqual([true, ['0.1@11'], false]);
    await pass();
  });

  it('CM3: what the host appends itself has its place among the bundles, and a dropped one leaves a gap', async () => {
    const { links, told, sizes, committer, pass } = await rigged();
    committer.submit(submission(links[0], 1));
    committer.submit(submission(links[0], 2));
    const own = committer.submitOwn({
      append: async (position) => {
        told.push(`own@${position}`);
        return 'committed';
      },
      committed: () => undefined,
    });
    committer.submit(submission(links[1], 1));
    const settling = committer.settle(links[0]);
    await pass();
    await settling;
    expect(await own).toBe('committed');
    await pass();
    expect(told).toEqual(['0.1@11', 'own@13', '1.1@14']);
    expect(sizes).toEqual([1, 1]);
  });

  it('tells of a store that failed, and settles', async () => {
    const { store, links, told, committer } = await rigged();
    store.beforeCommit = async () => {
      throw new Error('gone');
    };
    committer.submit(submission(links[0], 1));
    await committer.settle(links[0]);
    expect([told, committer.idle]).toEqual([['gone'], true]);
  });
});
