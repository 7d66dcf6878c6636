/** SU3: what a worker that holds its suspects asks for, and when. */
import {
  ByteWriter,
  decodeWorkerFrame,
  encodeHostFrame,
  encodeRecord,
  type HostFrame,
  readBundleBody,
  readKeyPrefix,
  type WorkerConfiguration,
  type WorkerFrame,
} from '@millrace/protocol';
import { computation } from '@millrace/sdk';
import { expect, it } from 'vitest';
import { ingestSettings } from '../host/ingest-settings.ts';
import { planOf } from '../testing/plans.ts';
import { createWorker } from './create-worker.ts';

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector', config: { path: 'lines' } },
    { id: 'n_a', kind: 'computation' },
  ],
  [{ from: 'n_in', to: 'n_a' }],
);

const configuration: WorkerConfiguration = {
  plan,
  slot: 0,
  slots: 1,
  nodeNumbers: [1, 2],
  egress: [undefined, undefined],
  ingest: plan.nodes.map((node) => (node.kind === 'injector' ? ingestSettings(node) : undefined)),
  partitions: [],
  emptyNodes: [1],
  farNodes: [],
  timersInMemory: 1_000,
  version: 1,
  careful: true,
  poison: {},
  cacheBytes: 100_000_000,
  isSuspicious: true,
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function suspiciousWorker() {
  const ran: unknown[] = [];
  const frames: WorkerFrame[] = [];
  const nodes = {
    n_a: computation<{ in: number }, object>({ processRecord: (record) => void ran.push(record.value) }),
  };
  const plane = createWorker({
    post: (bytes) => frames.push(decodeWorkerFrame(bytes.slice())),
    now: () => 0,
    loadModule: async () => ({ default: { nodes, keyBy: {}, timestamps: {}, values: {} } }),
  });
  const tell = async (frame: HostFrame): Promise<void> => {
    plane.receive(encodeHostFrame(frame));
    for (let i = 0; i < 5; i++) await turn();
  };
  await tell({ kind: 'configure', configuration, code: '' });
  await tell({ kind: 'restore', entries: [], last: true });
  await expect.poll(() => frames.some(({ kind }) => kind === 'ready')).toBe(true);
  let sequence = 0;
  const deliver = (key: string, value: number) => {
    const w = new ByteWriter();
    encodeRecord(w, { key, timestamp: 1, id: `${key}${value}`, pane: undefined, value });
    const batches = [{ node: 1, stream: 0, count: 1, bytes: w.take() }];
    return tell({ kind: 'deliver', sequence: ++sequence, position: sequence, channel: 0, batches });
  };
  const asked = () =>
    frames
      .filter((frame) => frame.kind === 'suspect')
      .map(({ number, prefix }) => `${number}: ${readKeyPrefix(prefix).key}`);
  const bundles = () => frames.filter((frame) => frame.kind === 'bundle');
  return { ran, tell, deliver, asked, bundles };
}

it('SU3: a key is asked for when all of it is committed, once at a time, and again for what came behind', async () => {
  const { ran, tell, deliver, asked, bundles } = await suspiciousWorker();
  await deliver('x', 1);
  await deliver('y', 2);
  expect(bundles()).toHaveLength(2);
  expect(asked()).toEqual([]);
  await tell({ kind: 'committed', bundleNumber: 1 });
  expect(asked()).toEqual(['1: x']);
  await tell({ kind: 'committed', bundleNumber: 2 });
  expect(asked()).toEqual(['1: x', '2: y']);
  await deliver('x', 3);
  await tell({ kind: 'committed', bundleNumber: 3 });
  expect(asked()).toHaveLength(2);
  expect(ran).toEqual([]);
  // Only what was stored when the key was tried.
  await tell({ kind: 'cleared', number: 1, through: 1 });
  expect(ran).toEqual([1]);
  expect(asked()).toHaveLength(2);
  await tell({ kind: 'committed', bundleNumber: 4 });
  expect(asked()).toEqual(['1: x', '2: y', '3: x']);
  // Of an answer that was given before nothing is left.
  await tell({ kind: 'cleared', number: 1, through: 99 });
  expect(ran).toEqual([1]);
  await tell({ kind: 'cleared', number: 3, through: 99 });
  expect(ran).toEqual([1, 3]);
});

it('P8: once it is trusted, new keys run at once, what is held waits on, and a condemned input is a letter', async () => {
  const { ran, tell, deliver, bundles } = await suspiciousWorker();
  await deliver('x', 1);
  await tell({ kind: 'committed', bundleNumber: 1 });
  await tell({ kind: 'trusted', held: false });
  await deliver('z', 2);
  expect(ran).toEqual([2]);
  await tell({ kind: 'condemned', input: 'n_a|x1', reason: 'it ended its worker' });
  await tell({ kind: 'cleared', number: 1, through: 1 });
  expect(ran).toEqual([2]);
  const letters = bundles().flatMap(({ body }) =>
    readBundleBody(body).deadLetters.map((text) => JSON.parse(text)),
  );
  expect(letters).toMatchObject([{ id: 'n_a/x1', error: expect.stringContaining('it ended its worker') }]);
});

it('SU6: where trying is given up, everything held runs', async () => {
  const { ran, tell, deliver } = await suspiciousWorker();
  await deliver('x', 1);
  await deliver('y', 2);
  await tell({ kind: 'trusted', held: true });
  expect(ran).toEqual([1, 2]);
});

it('SU3: a key for which something comes in every bundle is asked for all the same', async () => {
  const { ran, tell, deliver, asked } = await suspiciousWorker();
  await deliver('x', 1);
  await deliver('x', 2);
  await tell({ kind: 'committed', bundleNumber: 1 });
  await deliver('x', 3);
  expect(asked()).toEqual(['1: x']);
  await tell({ kind: 'cleared', number: 1, through: 1 });
  expect(ran).toEqual([1]);
  // What ran is in no committed bundle yet.
  await tell({ kind: 'committed', bundleNumber: 2 });
  await deliver('x', 4);
  expect(asked()).toEqual(['1: x']);
  await tell({ kind: 'committed', bundleNumber: 3 });
  await tell({ kind: 'committed', bundleNumber: 4 });
  await deliver('x', 5);
  await tell({ kind: 'committed', bundleNumber: 5 });
  expect(asked()).toEqual(['1: x', '2: x']);
});
