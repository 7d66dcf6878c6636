/** A small pipeline and the types of its nodes. Not part of the package's face. */
import { builtInTypes, canonicalJson, type NodeTypes, type PipelineFiles, readFolder } from '@millrace/graph';
import { z } from 'zod';
import { seedDocument } from '../src/folder/seed-document.ts';
import type { PipelineDocument } from '../src/shape/open-document.ts';
import { seeded } from './random.ts';

export const types: NodeTypes = new Map(
  [
    ...builtInTypes,
    {
      type: 'injector/file',
      kind: 'injector' as const,
      title: 'File',
      description: '',
      config: z.any(),
      inputs: [],
      outputs: ['out'],
    },
    {
      type: 'sink/file',
      kind: 'sink' as const,
      title: 'File',
      description: '',
      config: z.any(),
      inputs: ['in'],
      outputs: [],
    },
  ].map((spec) => [spec.type, spec]),
);

export function flights(): PipelineFiles {
  const pipeline = {
    format: 1,
    id: 'p_flights',
    name: 'Flights',
    nodes: {
      n_flights: {
        type: 'injector/file',
        name: 'flights',
        config: { path: 'f.jsonl', slack: { param: 'slack' } },
      },
      n_count: { type: 'code', name: 'count', code: 'nodes/count.ts' },
      n_late: { type: 'operator/filter', name: 'late only', config: { expression: 'value.delay > 0' } },
      n_out: { type: 'sink/file', name: 'result', config: { path: 'r.jsonl' } },
    },
    streams: {
      s_1: { from: ['n_flights', 'out'], to: ['n_late', 'in'] },
      s_2: { from: ['n_late', 'out'], to: ['n_count', 'flights'], keyBy: 'value.origin' },
      s_3: { from: ['n_count', 'counts'], to: ['n_out', 'in'] },
    },
    parameters: { slack: { type: 'duration', default: '30m' } },
  };
  const layout = {
    nodes: {
      n_flights: { at: [0, 0] },
      n_late: { at: [200, 0], group: 'g_front' },
      n_count: { at: [400, 10] },
    },
    notes: { t_1: { text: 'hello', at: [0, 100] } },
    groups: { g_front: { name: 'front' } },
  };
  return new Map([
    ['pipeline.json', canonicalJson(pipeline)],
    ['layout.json', canonicalJson(layout)],
    ['lib/zones.ts', 'export const zones = [];\n'],
    ['nodes/count.ts', 'export default 1;\n'],
    ['tests/one.json', '{}\n'],
  ]);
}

export function draftOf(files: PipelineFiles = flights(), epoch = 1): PipelineDocument {
  return seedDocument(readFolder(files), { epoch, clientId: 1, random: seeded(1) });
}
