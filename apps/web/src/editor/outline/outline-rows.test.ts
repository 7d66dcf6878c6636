import type { Reading } from '@millrace/document';
import { canonicalJson, readFolder } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { outlineRows } from './outline-rows.ts';

function reading(wires: readonly string[], ids = 'abcd'): Reading {
  const nodes = Object.fromEntries(
    [...ids].map((id) => [id, { type: 'code', name: id.toUpperCase(), code: `nodes/${id}.ts` }]),
  );
  const streams = Object.fromEntries(
    wires.map(([from, to], i) => [`s_${i}`, { from: [from, 'out'], to: [to, `in${i}`] }]),
  );
  const folder = readFolder(
    new Map([['pipeline.json', canonicalJson({ format: 1, name: 'X', nodes, streams })]]),
  );
  return {
    pipeline: folder.pipeline,
    layout: { nodes: new Map(), notes: new Map(), groups: new Map(), streams: new Map() },
    files: new Map(),
    problems: [],
  };
}
const shown = (rows: ReturnType<typeof outlineRows>) =>
  rows
    .map((row) =>
      row.kind === 'node' ? row.node.name : row.kind === 'group' ? `[${row.group.name}]` : `→${row.to}`,
    )
    .join(' ');

describe('the outline', () => {
  it('goes along the flow, producers before consumers', () => {
    expect(shown(outlineRows(reading(['cb', 'ba', 'ad']), new Set()))).toBe('C →B B →A A →D D');
    expect(shown(outlineRows(reading(['ac', 'bc', 'cd']), new Set()))).toBe('A →C B →C C →D D');
  });

  it('shows every node once, also of a cycle', () => {
    expect(shown(outlineRows(reading(['ab', 'bc', 'ca'], 'abc'), new Set(['a', 'b', 'c'])))).toBe('A B C');
  });

  it('leaves out the streams of a folded node', () => {
    expect(shown(outlineRows(reading(['ab', 'ac']), new Set(['a'])))).toBe('A B C D');
  });

  it('gathers the nodes of a group where the first of them stands, and leaves them out once it is folded', () => {
    const { layout, ...rest } = reading(['ab', 'bc', 'cd']);
    const place = (group?: string) => ({ at: [0, 0], size: undefined, group }) as const;
    const grouped: Reading = {
      ...rest,
      layout: {
        ...layout,
        nodes: new Map([
          ['a', place()],
          ['b', place('g')],
          ['d', place('g')],
        ]),
        groups: new Map([['g', { name: 'Work', color: undefined, collapsed: false }]]),
      },
    };
    expect(shown(outlineRows(grouped, new Set()))).toBe('A →B [Work] B →C D C →D');
    expect(outlineRows(grouped, new Set()).map(({ level }) => level)).toEqual([1, 2, 1, 2, 3, 2, 1, 2]);
    expect(shown(outlineRows(grouped, new Set(['g'])))).toBe('A →B [Work] C →D');
  });
});
