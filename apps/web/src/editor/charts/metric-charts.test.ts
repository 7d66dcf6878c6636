import { expect, test } from 'vitest';
import { chartsThatShow, curvesOf } from './metric-charts.ts';

const answer = {
  at: [1_000, 2_000, 60_000, 61_000],
  nodes: { n_a: { inRate: [1, 2, 3, null], lagMs: [null, null, null, null] } },
  streams: { s_a: { rate: [5, 6, 7, 8] } },
  pipeline: { commitP50Ms: [1, 1, 1, 1] },
};

test('where samples are missing there is a place for nothing, so that no line is drawn across', () => {
  const { at, of } = curvesOf(answer, { kind: 'node', id: 'n_a' }, 1_000);
  expect(at).toEqual([1_000, 2_000, 3_000, 60_000, 61_000]);
  expect(of.get('inRate')).toEqual([1, 2, null, 3, null]);
});

test('a chart of which nothing is known is left out', () => {
  const ids = (subject: Parameters<typeof curvesOf>[1]) =>
    chartsThatShow(curvesOf(answer, subject, 1_000), subject.kind).map(({ id }) => id);
  expect(ids({ kind: 'node', id: 'n_a' })).toEqual(['rates']);
  expect(ids({ kind: 'stream', id: 's_a' })).toEqual(['flow']);
  expect(ids({ kind: 'pipeline' })).toEqual(['commit']);
  expect(ids({ kind: 'node', id: 'n_new' })).toEqual([]);
});
