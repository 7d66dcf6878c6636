import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flights, folderOf, types } from '../../test/fixture.ts';
import { resolveParameters } from '../parameters.ts';
import { readFolder } from '../read/read-folder.ts';
import { compilePlan } from './compile-plan.ts';

describe('compilePlan', () => {
  it('puts parameters into settings and leaves durations as written', () => {
    const { pipeline } = readFolder(folderOf(flights()));
    const { values } = resolveParameters(pipeline.parameters, new Map([['slack', '5m']]));
    const plan = compilePlan(pipeline, types, values);
    expect(plan.nodes.map(({ id, kind }) => [id, kind])).toEqual([
      ['n_flights', 'injector'],
      ['n_count', 'computation'],
      ['n_out', 'sink'],
    ]);
    expect(plan.nodes[0]?.config.slack).toBe('5m');
    expect(plan.params).toEqual({ slack: '5m' });
    expect(plan.streams.map(({ from, to, keyed }) => [from, to, keyed])).toEqual([
      [0, 1, true],
      [1, 2, false],
    ]);
    expect(plan.pipeline).toBe('p_k3v9w2mzq7ab');
  });

  it('orders any acyclic graph so that every stream goes forward, whatever the order in the file', () => {
    const edges = fc.array(fc.tuple(fc.nat(12), fc.nat(12)).filter(([a, b]) => a < b));
    fc.assert(
      fc.property(edges, fc.shuffledSubarray([...Array(13).keys()], { minLength: 13 }), (wires, order) => {
        const name = (i: number): string => `n_${(i * 7) % 13}`;
        const build = (sequence: readonly number[]) =>
          readFolder(
            folderOf({
              format: 1,
              name: 'x',
              nodes: Object.fromEntries(
                sequence.map((i) => [name(i), { type: 'operator/union', name: name(i) }]),
              ),
              streams: Object.fromEntries(
                wires.map(([a, b], i) => [`s_${i}`, { from: [name(a), 'out'], to: [name(b), 'in'] }]),
              ),
            }),
          ).pipeline;
        const plan = compilePlan(build(order), types, {});
        expect(plan.streams.every(({ from, to }) => from < to)).toBe(true);
        expect(compilePlan(build([...order].reverse()), types, {})).toEqual(plan);
      }),
    );
  });
});
