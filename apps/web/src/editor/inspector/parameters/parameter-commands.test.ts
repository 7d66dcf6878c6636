import { type Pipeline, readFolder } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { freeName, renamedParameter, takersOf } from './parameter-commands.ts';

const { pipeline } = readFolder(
  new Map([
    [
      'pipeline.json',
      JSON.stringify({
        format: 1,
        name: 'x',
        parameters: { gap: { type: 'duration', default: '30m', description: 'Pause' } },
        nodes: {
          n_a: {
            type: 'operator/aggregate',
            name: 'sessions',
            config: {
              window: { type: 'session', gap: { param: 'gap' } },
              aggregates: { n: { type: 'count' } },
              allowedLateness: { param: 'other' },
            },
          },
          n_b: { type: 'sink/discard', name: 'out', config: {} },
        },
        streams: {},
      }),
    ],
  ]),
) as { pipeline: Pipeline };

describe('parameters and the settings that take them', () => {
  it('knows who takes one', () => {
    expect(takersOf(pipeline, 'gap').map(({ id }) => id)).toEqual(['n_a']);
    expect(takersOf(pipeline, 'none')).toEqual([]);
  });

  it('another name goes to every setting, however deep, and leaves the others alone', () => {
    expect(renamedParameter(pipeline, 'gap', 'pause')).toEqual([
      { kind: 'set-parameter', parameter: 'pause', type: 'duration', default: '30m', description: 'Pause' },
      {
        kind: 'set-setting',
        node: 'n_a',
        setting: 'window',
        value: { type: 'session', gap: { param: 'pause' } },
      },
      { kind: 'delete-parameter', parameter: 'gap' },
    ]);
    expect(renamedParameter(pipeline, 'gap', 'gap')).toEqual([]);
  });

  it('a new one takes no name that is taken', () => {
    expect(freeName(pipeline.parameters, 'gap')).toBe('gap2');
    expect(freeName(pipeline.parameters, 'rate')).toBe('rate');
  });
});
