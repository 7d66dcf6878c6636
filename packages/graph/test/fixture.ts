/** The pipeline of the tests: flights per origin and hour. Not part of the package's face. */
import { z } from 'zod';
import { durationSetting, expressionSetting } from '../src/index.ts';
import type { NodeTypeSpec, NodeTypes } from '../src/node-types.ts';
import { nodeTypes } from '../src/operators.ts';

const fileInjector: NodeTypeSpec = {
  type: 'injector/file',
  kind: 'injector',
  title: 'File',
  description: 'Reads a file.',
  config: z.strictObject({
    path: z.string(),
    format: z.enum(['jsonl', 'json', 'csv', 'text']),
    timestamp: expressionSetting().optional(),
    slack: durationSetting().optional(),
    type: z.string().optional(),
  }),
  inputs: [],
  outputs: ['out'],
  expressions: ['timestamp'],
};

const fileSink: NodeTypeSpec = {
  type: 'sink/file',
  kind: 'sink',
  title: 'File',
  description: 'Writes a file.',
  config: z.strictObject({ path: z.string() }),
  inputs: ['in'],
  outputs: [],
};

export const types: NodeTypes = nodeTypes([fileInjector, fileSink]);

export function flights(): Record<string, unknown> & { nodes: Record<string, Record<string, unknown>> } {
  return {
    format: 1,
    id: 'p_k3v9w2mzq7ab',
    name: 'Flight delays by hour',
    nodes: {
      n_flights: {
        type: 'injector/file',
        name: 'flights',
        config: { path: 'flights.jsonl', format: 'jsonl', timestamp: 'value.at', slack: { param: 'slack' } },
      },
      n_count: { type: 'code', name: 'count by hour', code: 'nodes/count-by-hour.ts' },
      n_out: { type: 'sink/file', name: 'result', config: { path: 'result.jsonl' } },
    },
    streams: {
      s_1: { from: ['n_flights', 'out'], to: ['n_count', 'flights'], keyBy: 'value.origin' },
      s_2: { from: ['n_count', 'counts'], to: ['n_out', 'in'] },
    },
    parameters: { slack: { type: 'duration', default: '30m' } },
  };
}

export function folderOf(pipeline: unknown, code = 'export default 1;\n'): Map<string, string> {
  return new Map([
    ['pipeline.json', typeof pipeline === 'string' ? pipeline : JSON.stringify(pipeline, null, 2)],
    ['nodes/count-by-hour.ts', code],
  ]);
}
