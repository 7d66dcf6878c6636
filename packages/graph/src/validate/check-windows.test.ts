import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { folderOf, types as known } from '../../test/fixture.ts';
import type { NodeTypes } from '../node-types.ts';
import { readFolder } from '../read/read-folder.ts';
import { validateFolder } from './validate-folder.ts';

const ticks = {
  type: 'injector/ticks',
  kind: 'injector',
  title: 'Ticks',
  description: 'Ticks.',
  config: z.strictObject({ count: z.int().optional() }),
  inputs: [],
  outputs: ['out'],
  isEndless: ({ count }: Readonly<Record<string, unknown>>) => count === undefined,
} as const;
const types: NodeTypes = new Map([...known, ['injector/ticks', ticks]]);

const aggregate = (more: object) => ({
  type: 'operator/aggregate',
  config: { window: { type: 'tumbling', size: '1m' }, aggregates: { n: { type: 'count' } }, ...more },
});

/** Nodes one behind the other, a file at the end. */
function issuesOf(
  source: object,
  ...steps: readonly { type: string; config?: object; from?: string; to?: string }[]
): string[] {
  const nodes = [{ type: 'injector/ticks', config: source }, ...steps];
  const pipeline = {
    format: 1,
    name: 'x',
    nodes: {
      ...Object.fromEntries(
        nodes.map((node, i) => [`n_${i}`, { name: `node ${i}`, type: node.type, config: node.config }]),
      ),
      n_out: { type: 'sink/file', name: 'out', config: { path: 'x' } },
    },
    streams: Object.fromEntries(
      nodes.map((_, i) => [
        `s_${i}`,
        {
          from: [`n_${i}`, steps[i]?.from ?? 'out'],
          to: i + 1 < nodes.length ? [`n_${i + 1}`, steps[i]?.to ?? 'in'] : ['n_out', 'in'],
        },
      ]),
    ),
  };
  const issues = validateFolder(readFolder(folderOf(pipeline)), types);
  return issues
    .filter(({ severity }) => severity === 'error')
    .map(({ code, node, path }) => `${code} ${node} ${path}`);
}

describe('windows and what is in front of them', () => {
  const global = { window: { type: 'global' } };
  const filter = { type: 'operator/filter', config: { expression: 'true' } };

  it('N3: a global window on a stream without end shows nothing without a trigger', () => {
    expect(issuesOf({}, filter, aggregate(global))).toEqual(['never-fires n_2 nodes.n_2.config.trigger']);
    expect(issuesOf({}, filter, aggregate({ ...global, trigger: { onTime: 'always' } }))).toHaveLength(1);
    expect(issuesOf({}, aggregate({ ...global, trigger: { early: '1m' } }))).toEqual([]);
    expect(issuesOf({ count: 5 }, aggregate(global))).toEqual([]);
    expect(issuesOf({}, aggregate({}))).toEqual([]);
    const join = { type: 'operator/windowJoin', config: global, to: 'left' };
    expect(issuesOf({}, join)).toContain('never-fires n_1 nodes.n_1.config.window');
    expect(issuesOf({ count: 5 }, join).join()).not.toContain('never-fires');
  });

  it('N3: what a window takes back must not reach an operator that would add it up', () => {
    const retracting = aggregate({ accumulation: 'accumulating-and-retracting' });
    const taking = aggregate({ retractions: true });
    const deduplicate = { type: 'operator/deduplicate', config: { within: '1m' } };
    expect(issuesOf({}, retracting)).toEqual([]);
    expect(issuesOf({}, retracting, filter, taking)).toEqual([]);
    expect(issuesOf({}, retracting, filter, aggregate({}))).toEqual([
      'retractions n_3 nodes.n_3.config.retractions',
    ]);
    expect(issuesOf({}, retracting, deduplicate, aggregate({}))).toEqual(['retractions n_2 nodes.n_2.type']);
    expect(issuesOf({}, retracting, { ...aggregate({}), from: 'late' })).toEqual([]);
  });
});
