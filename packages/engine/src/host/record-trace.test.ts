import { expect, test } from 'vitest';
import { planOf } from '../testing/plans.ts';
import { createHasher } from '../worker/key-hash.ts';
import type { KeptRecord } from './recent-records.ts';
import { traceOf } from './record-trace.ts';

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector' },
    { id: 'n_split', kind: 'computation' },
    { id: 'n_sum', kind: 'computation' },
    { id: 'n_out', kind: 'sink' },
  ],
  [
    { from: 'n_in', to: 'n_split' },
    { from: 'n_split', to: 'n_sum' },
    { from: 'n_sum', to: 'n_out' },
  ],
);

const record = (id: string, at: number): KeptRecord => ({
  id,
  at,
  key: '',
  timestamp: 0,
  pane: undefined,
  text: '{}',
  cut: false,
  way: [],
});

const { deriveId } = await createHasher();
const root = 'n_in/events@7';
const [first, second] = [0, 1].map((ordinal) => deriveId(root, 'n_split', ordinal)) as [string, string];
const sum = deriveId(second, 'n_sum', 0);
const kept: readonly (readonly KeptRecord[])[] = [
  [record('n_in/events@0', 1), record(root, 1)],
  [record(first, 2), record(second, 2), record(deriveId('n_in/events@0', 'n_split', 0), 2)],
  [record(sum, 3)],
];
const of = (id: string) => traceOf(id, plan, (stream) => kept[stream] ?? []);

test('P4: what came of a record is found over every hop, with where and when', async () => {
  const { record: found, parents, children, cut } = await of(root);
  expect(found).toMatchObject({ stream: 's_0', at: 1 });
  expect(parents).toEqual([]);
  expect(children.map(({ id, stream, from, hops, at }) => [id, stream, from, hops, at])).toEqual([
    [first, 's_1', root, 1, 2],
    [second, 's_1', root, 1, 2],
    [sum, 's_2', second, 2, 3],
  ]);
  expect(cut).toBe(false);
});

test('P4: what a record came from is found as well, nearest first', async () => {
  const { parents, children } = await of(sum);
  expect(children).toEqual([]);
  expect(parents.map(({ id, from, hops }) => [id, from, hops])).toEqual([
    [second, sum, 1],
    [root, second, 2],
  ]);
});

test('of one that is not kept what came of it is told all the same', async () => {
  const { record: found, children } = await traceOf(root, plan, (stream) =>
    stream === 0 ? [] : (kept[stream] ?? []),
  );
  expect(found).toBeUndefined();
  expect(children.map(({ id }) => id)).toEqual([first, second, sum]);
});

const sampled = (id: string, stream: number) => ({ ...record(id, 3), stream });
const onlyLast = (stream: number): readonly KeptRecord[] =>
  stream === 2 ? [{ ...record('t', 9), way: [sampled('b', 1), sampled('a', 0)] }] : [];

test('TP4: a sample leads to what it was made of though that was not sampled itself', async () => {
  const { parents } = await traceOf('t', plan, onlyLast);
  expect(parents.map(({ id, stream, from, hops, at }) => [id, stream, from, hops, at])).toEqual([
    ['b', 's_1', 't', 1, 9],
    ['a', 's_0', 'b', 2, 9],
  ]);
});

test('TP4: what came along with a sample is found by its own id, in both directions', async () => {
  const { record: found, parents, children } = await traceOf('b', plan, onlyLast);
  expect(found).toMatchObject({ id: 'b', stream: 's_1' });
  expect(found).not.toHaveProperty('way');
  expect(parents.map(({ id }) => id)).toEqual(['a']);
  expect(children.map(({ id, stream }) => [id, stream])).toEqual([['t', 's_2']]);
});

test('a record that a timer made tells of it, and leads to the record that armed it, if that is kept', async () => {
  const timer = { tag: 'close', clock: 'watermark', time: 60, armedBy: first } as const;
  const made = { ...record('made', 9), timer };
  const withIt = (stream: number) => (stream === 2 ? [made] : (kept[stream] ?? []));
  const { record: found, parents } = await traceOf('made', plan, withIt);
  expect(found).toMatchObject({ timer: { tag: 'close', time: 60 } });
  expect(parents.map(({ id, from, hops }) => [id, from, hops])).toEqual([
    [first, 'made', 1],
    [root, first, 2],
  ]);
  const alone = await traceOf('made', plan, (stream) => (stream === 2 ? [made] : []));
  expect(alone).toMatchObject({ record: { timer: { tag: 'close' } }, parents: [] });
});

test('TP4: a way over streams that are none ends there', async () => {
  const wild = (stream: number) =>
    stream === 2 ? [{ ...record('t', 9), way: [sampled('b', 77), sampled('a', 0)] }] : [];
  expect(await traceOf('t', plan, wild)).toMatchObject({ parents: [], children: [] });
});
