import { decodeWorkerFrame, encodeHostFrame, type HostFrame, type WorkerFrame } from '@millrace/protocol';
import { expect, test } from 'vitest';
import { ingestSettings } from '../host/ingest-settings.ts';
import { planOf } from '../testing/plans.ts';
import { createWorker } from './data-plane.ts';

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector', type: 'injector/generator', config: { value: 'n' } },
    { id: 'n_out', kind: 'sink' },
  ],
  [{ from: 'n_in', to: 'n_out' }],
);
const code = { nodes: {}, keyBy: {}, timestamps: {}, values: { n_in: (n: number) => n } };

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function worker(hear: (frame: WorkerFrame, tell: (frame: HostFrame) => void) => void) {
  const tell = (frame: HostFrame) => plane.receive(encodeHostFrame(frame));
  let isReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  const plane = createWorker({
    post: (bytes) => {
      const frame = decodeWorkerFrame(bytes);
      if (frame.kind === 'ready') isReady();
      hear(frame, tell);
    },
    now: () => 0,
    loadModule: async () => ({ default: code }),
  });
  tell({
    kind: 'configure',
    configuration: {
      plan,
      slot: 0,
      slots: 1,
      nodeNumbers: [1, 2],
      egress: [undefined, 'line'],
      ingest: [ingestSettings(plan.nodes[0]!), undefined],
      partitions: [{ node: 0, partition: 0, name: '0' }],
      emptyNodes: [],
      version: 1,
      careful: false,
      poison: {},
      cacheBytes: 1_000_000,
    },
    code: '',
  });
  tell({ kind: 'restore', entries: [], last: true });
  await ready;
  await turn();
  return tell;
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'DP4: a commit told %i turns of the microtask queue behind a report that the worker waits wakes it',
  async (turns) => {
    const bundles: number[] = [];
    let finished = 0;
    let told = 0;
    const tell = await worker((frame, answer) => {
      if (frame.kind === 'bundle') {
        bundles.push(frame.bundleNumber);
        finished = frame.throughSequence;
      }
      if (frame.kind !== 'status' || !frame.pending || told === bundles.length) return;
      let later = Promise.resolve();
      for (let i = 1; i < turns; i++) later = later.then(() => undefined);
      void later.then(() => {
        while (told < bundles.length) answer({ kind: 'committed', bundleNumber: ++told, foldedBundle: 0 });
      });
    });
    for (let sequence = 1; sequence <= 9; sequence++)
      tell({
        kind: 'chunk',
        sequence,
        node: 0,
        partition: 0,
        chunk: { kind: 'ordinals', first: (sequence - 1) * 20_000, count: 20_000, time: 0, everyMs: 0 },
      });
    for (let i = 0; i < 100; i++) await turn();
    expect(finished).toBe(9);
    expect(bundles.length).toBeGreaterThan(4);
  },
);
