import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { folderOf, types as known } from '../../test/fixture.ts';
import type { NodeTypeSpec, NodeTypes } from '../node-types.ts';
import { readFolder } from '../read/read-folder.ts';
import { validateFolder } from './validate-folder.ts';

const injector = (type: string, more: Partial<NodeTypeSpec>): [string, NodeTypeSpec] => [
  type,
  {
    ...{ type, kind: 'injector', title: type, description: type },
    ...{ config: z.strictObject({}), inputs: [], outputs: ['out'] },
    ...more,
  },
];
const types: NodeTypes = new Map([
  ...known,
  injector('injector/rows', { isTable: true }),
  injector('injector/ticks', {}),
]);
const map = { type: 'operator/map', name: 'map', config: { expression: 'value' } };

function issuesOf(left: string, right: string, between: object = map): string[] {
  const pipeline = {
    format: 1,
    name: 'x',
    nodes: {
      n_left: { type: left, name: 'left', config: {} },
      n_right: { type: right, name: 'rows', config: {} },
      n_map: between,
      n_look: { type: 'operator/lookup', name: 'look', config: {} },
      n_out: { type: 'sink/file', name: 'out', config: { path: 'x' } },
    },
    streams: {
      s_1: { from: ['n_left', 'out'], to: ['n_look', 'left'] },
      s_2: { from: ['n_right', 'out'], to: ['n_map', 'in'] },
      s_3: { from: ['n_map', 'out'], to: ['n_look', 'right'] },
      s_4: { from: ['n_look', 'out'], to: ['n_out', 'in'] },
    },
  };
  return validateFolder(readFolder(folderOf(pipeline)), types)
    .filter(({ severity }) => severity === 'error')
    .map(({ code, node, message }) => `${code} ${node} ${message}`);
}

describe('what is looked up in', () => {
  it('N6: is a table that is read as a whole, also behind nodes that pass its rows on', () => {
    expect(issuesOf('injector/ticks', 'injector/rows')).toEqual([]);
    expect(issuesOf('injector/rows', 'injector/ticks')).toEqual([
      expect.stringMatching(
        /^no-table n_look node 'look' \(n_look\) looks up in what 'rows' \(n_right\) gives/,
      ),
    ]);
  });

  it('is left to those who know it where it is made by code', () => {
    const code = { type: 'code', name: 'code', code: 'nodes/code.ts' };
    expect(
      issuesOf('injector/ticks', 'injector/ticks', code).filter((each) => /no-table/.test(each)),
    ).toEqual([]);
  });

  it('is nothing that an operator keeps or counts', () => {
    const table = { type: 'operator/table', name: 'table', config: {} };
    expect(issuesOf('injector/ticks', 'injector/rows', table)).toEqual([
      expect.stringMatching(/^no-table n_look .* what 'table' \(n_map\) gives/),
    ]);
  });
});
