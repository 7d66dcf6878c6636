import { canonicalJson, readFolder } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { renamedOutputs } from './renamed-outputs.ts';

const { pipeline } = readFolder(
  new Map([
    [
      'pipeline.json',
      canonicalJson({
        format: 1,
        name: 'X',
        nodes: {
          n_code: { type: 'code', name: 'code', code: 'nodes/code.ts' },
          n_a: { type: 'sink/discard', name: 'a' },
          n_b: { type: 'sink/discard', name: 'b' },
        },
        streams: {
          s_1: { from: ['n_code', 'counts'], to: ['n_a', 'in'] },
          s_2: { from: ['n_code', 'counts'], to: ['n_b', 'in'] },
          s_3: { from: ['n_code', 'late'], to: ['n_b', 'in'] },
        },
      }),
    ],
  ]),
);
const unknown = (port: string, known: readonly string[]) =>
  ({ kind: 'unknown-output', node: 'n_code', port, known }) as const;

describe('an output with another name', () => {
  it('is one name with streams gone and one without any there: its streams can go along', () => {
    expect(renamedOutputs(pipeline, [unknown('counts', ['late', 'totals'])])).toEqual([
      { node: 'n_code', from: 'counts', to: 'totals', streams: ['s_1', 's_2'] },
    ]);
  });

  it('is not guessed where two names are gone, two are new, or none is', () => {
    expect(renamedOutputs(pipeline, [unknown('counts', ['late'])])).toEqual([]);
    expect(renamedOutputs(pipeline, [unknown('counts', ['late', 'totals', 'sums'])])).toEqual([]);
    const both = [unknown('counts', ['totals']), unknown('late', ['totals'])];
    expect(renamedOutputs(pipeline, both)).toEqual([]);
  });
});
