import { readFolder } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { company } from '../../test/company.ts';
import { draftOf, flights, types } from '../../test/fixture.ts';
import { seeded } from '../../test/random.ts';
import { copySelection } from '../clipboard/selection.ts';
import { toFolder } from '../folder/to-folder.ts';
import { openDocument, type PipelineDocument } from '../shape/open-document.ts';
import { applyCommand } from './apply-command.ts';
import type { Command } from './command.ts';

function run(document: PipelineDocument, command: Command): string {
  const result = applyCommand(document, command, { random: seeded(5), types });
  return result.kind === 'refused' ? result.code : result.kind;
}

describe('nodes', () => {
  it('a new node gets an id, a free name, a place and, if it is code, a file of its own', () => {
    const { ann } = company();
    const { made } = ann.does({ kind: 'add-node', type: 'code', at: [5, 6], name: 'count', text: 'a\r\nb' });
    const [id = ''] = made;
    const { pipeline, layout } = ann.document.read();
    expect(id).toMatch(/^n_[0-9a-z]{12}$/);
    expect(pipeline.nodes.get(id)).toMatchObject({ name: 'count 2', code: 'nodes/count-2.ts', type: 'code' });
    expect(layout.nodes.get(id)?.at).toEqual([5, 6]);
    expect(ann.codeOf(id)).toBe('a\nb');
  });

  it('a setting is one field; setting it to nothing removes it', () => {
    const { ann } = company();
    const config = (): unknown => ann.document.read().pipeline.nodes.get('n_out')?.config;
    ann.does({ kind: 'set-setting', node: 'n_out', setting: 'columns', value: { a: [1, null] } });
    expect(config()).toEqual({ path: 'r.jsonl', columns: { a: [1, null] } });
    ann.does({ kind: 'set-setting', node: 'n_out', setting: 'path', value: undefined });
    expect(config()).toEqual({ columns: { a: [1, null] } });
  });

  it('an operator turned into code keeps id, name and streams', () => {
    const { ann } = company();
    ann.does({ kind: 'turn-into-code', node: 'n_late', text: 'code' });
    expect(ann.document.read().pipeline.nodes.get('n_late')).toMatchObject({
      type: 'code',
      name: 'late only',
      code: 'nodes/late-only.ts',
      config: {},
    });
    expect(ann.codeOf('n_late')).toBe('code');
    ann.undoes();
    expect([...toFolder(ann.document)]).toEqual([...toFolder(draftOf())]);
  });
});

describe('text', () => {
  it('half a character arrives as the same character everywhere', () => {
    const { ann, bob, meet } = company();
    ann.does({ kind: 'edit-code', code: 'n_count', splices: [{ at: 0, remove: 0, insert: '\ud83d-' }] });
    ann.does({ kind: 'set-setting', node: 'n_out', setting: 'path', value: ['\ud83d', { '\ud83d': 1 }] });
    meet();
    expect(bob.codeOf('n_count')).toBe('\ufffd-export default 1;\n');
    expect(ann.codeOf('n_count')).toBe(bob.codeOf('n_count'));
    expect([...toFolder(ann.document)]).toEqual([...toFolder(bob.document)]);
  });

  it('an edit that would cut a character in half takes all of it', () => {
    const { ann } = company();
    ann.does({ kind: 'edit-code', code: 'n_count', splices: [{ at: 0, remove: 0, insert: 'a😀b' }] });
    ann.does({ kind: 'edit-code', code: 'n_count', splices: [{ at: 2, remove: 1, insert: '' }] });
    expect(ann.codeOf('n_count')).toBe('abexport default 1;\n');
  });
});

describe('streams', () => {
  it('a node put into a stream: what reaches the consumer keeps its id and key', () => {
    const { ann } = company();
    const [node = ''] = ann.does({ kind: 'add-node', type: 'operator/map', at: [0, 0] }).made;
    const [into = ''] = ann.does({
      kind: 'splice-node',
      node,
      input: 'in',
      output: 'out',
      stream: 's_2',
    }).made;
    const { streams } = ann.document.read().pipeline;
    expect(streams.get('s_2')).toMatchObject({
      from: [node, 'out'],
      to: ['n_count', 'flights'],
      keyBy: 'value.origin',
    });
    expect(streams.get(into)).toMatchObject({ from: ['n_late', 'out'], to: [node, 'in'], keyBy: undefined });
  });

  it('a name is kept with the picture, not with the graph, goes along in copies and comes back by undo', () => {
    const { ann, bob, meet } = company();
    const graph = toFolder(ann.document).get('pipeline.json');
    ann.does({ kind: 'rename-stream', stream: 's_2', name: ' late flights ' });
    meet();
    const nameOf = (id: string): string | undefined => bob.document.read().layout.streams.get(id)?.name;
    expect(nameOf('s_2')).toBe('late flights');
    expect(toFolder(bob.document).get('pipeline.json')).toBe(graph);
    expect(toFolder(bob.document).get('layout.json')).toContain('late flights');
    bob.does({ kind: 'duplicate', nodes: ['n_late', 'n_count'], by: [0, 100] });
    expect(
      [...bob.document.read().layout.streams.values()].filter((it) => it.name === 'late flights'),
    ).toHaveLength(2);
    ann.undoes();
    meet();
    expect(nameOf('s_2')).toBeUndefined();
    expect(run(ann.document, { kind: 'rename-stream', stream: 's_2', name: 'two\nlines' })).toBe('bad-name');
    expect(run(ann.document, { kind: 'rename-stream', stream: 's_9', name: 'lost' })).toBe('no-stream');
  });

  it('all streams of an output go along to its new name in one step', () => {
    const { ann } = company();
    const { made } = ann.does({ kind: 'add-node', type: 'sink/file', at: [0, 0], name: 'copy' });
    ann.does({ kind: 'connect', from: ['n_count', 'counts'], to: [made[0] ?? '', 'in'] });
    const before = [...toFolder(ann.document)];
    const rename = { kind: 'rename-output', node: 'n_count', from: 'counts', to: 'totals' } as const;
    ann.does(rename);
    const ports = [...ann.document.read().pipeline.streams.values()]
      .filter(({ from }) => from[0] === 'n_count')
      .map(({ from }) => from[1]);
    expect(new Set(ports)).toEqual(new Set(['totals']));
    expect(run(ann.document, rename)).toBe('nothing');
    ann.undoes();
    expect([...toFolder(ann.document)]).toEqual(before);
  });

  it('deleting with re-join leads what was before to what was behind, in one step', () => {
    const { ann } = company();
    ann.does({ kind: 'delete', nodes: ['n_late', 'n_count'], rejoin: true });
    const { streams } = ann.document.read().pipeline;
    expect([...streams.values()]).toEqual([
      { id: 's_3', from: ['n_flights', 'out'], to: ['n_out', 'in'], keyBy: undefined },
    ]);
    ann.undoes();
    expect([...toFolder(ann.document)]).toEqual([...toFolder(draftOf())]);
  });

  it('re-joining several sources keeps the stream for the first and draws the others anew', () => {
    const { ann } = company();
    const [other = ''] = ann.does({ kind: 'add-node', type: 'injector/file', at: [0, 0] }).made;
    ann.does({ kind: 'connect', from: [other, 'out'], to: ['n_late', 'in'] });
    ann.does({ kind: 'delete', nodes: ['n_late'], rejoin: true });
    const into = [...ann.document.read().pipeline.streams.values()].filter(({ to }) => to[0] === 'n_count');
    expect(into.map(({ from }) => from[0]).sort()).toEqual(['n_flights', other].sort());
    expect(into.every(({ keyBy }) => keyBy === 'value.origin')).toBe(true);
    expect(into.map(({ id }) => id)).toContain('s_2');
  });
});

describe('selections', () => {
  it('pasting mints ids, keeps the streams between the copies and moves them to the place', () => {
    const { ann } = company();
    const selection = copySelection(ann.document, { nodes: ['n_late', 'n_count'], notes: ['t_1'] });
    const { made } = ann.does({ kind: 'paste', selection, at: [1_000, 1_000] });
    const { pipeline, layout } = ann.document.read();
    const copies = made.filter((id) => pipeline.nodes.has(id));
    expect(copies.map((id) => pipeline.nodes.get(id)?.name).sort()).toEqual(['count 2', 'late only 2']);
    const streams = [...pipeline.streams.values()].filter(({ from }) => copies.includes(from[0]));
    expect(streams).toMatchObject([{ keyBy: 'value.origin' }]);
    expect(copies.map((id) => layout.nodes.get(id)?.at).sort()).toEqual([
      [1_200, 1_000],
      [1_400, 1_010],
    ]);
    const code = copies.find((id) => pipeline.nodes.get(id)?.type === 'code') ?? '';
    expect(ann.codeOf(code)).toBe('export default 1;\n');
    ann.undoes();
    expect([...toFolder(ann.document)]).toEqual([...toFolder(draftOf())]);
  });

  it('a pasted group is a group of the copies', () => {
    const { ann } = company();
    const { made } = ann.does({ kind: 'duplicate', nodes: ['n_late'], by: [10, 20] });
    const { layout } = ann.document.read();
    const place = layout.nodes.get(made[0] ?? '');
    expect(place?.at).toEqual([210, 20]);
    expect(place?.group).not.toBe('g_front');
    expect(layout.groups.get(place?.group ?? '')?.name).toBe('front');
  });
});

describe('a folder applied to a draft', () => {
  it('sets what differs and leaves the rest, so that edits made meanwhile survive', () => {
    const { ann, bob, meet } = company();
    const files = new Map(flights());
    files.set('pipeline.json', (files.get('pipeline.json') as string).replace('late only', 'delayed'));
    files.set('nodes/count.ts', 'export default 2;\n');
    files.set('lib/new.ts', 'x\n');
    files.delete('lib/zones.ts');
    const { changes } = ann.does({ kind: 'apply-folder', folder: readFolder(files) });
    expect(changes).toHaveLength(4);
    bob.does({ kind: 'edit-code', code: 'n_count', splices: [{ at: 0, remove: 0, insert: '// bob\n' }] });
    bob.does({ kind: 'rename-node', node: 'n_out', name: 'bobs' });
    meet();
    expect(ann.codeOf('n_count')).toBe('// bob\nexport default 2;\n');
    expect(ann.document.read().pipeline.nodes.get('n_out')?.name).toBe('bobs');
    ann.undoes();
    expect(ann.codeOf('n_count')).toBe('// bob\nexport default 1;\n');
  });

  it('applying the folder as it is changes nothing', () => {
    const { ann } = company();
    expect(ann.does({ kind: 'apply-folder', folder: readFolder(flights()) }).changes).toEqual([]);
  });

  it('brings a deleted node back under its id', () => {
    const { ann } = company();
    ann.does({ kind: 'delete', nodes: ['n_count'] });
    ann.does({ kind: 'apply-folder', folder: readFolder(flights()) });
    expect([...toFolder(ann.document)]).toEqual([...toFolder(draftOf())]);
  });

  it('keeps the pipeline id of the draft', () => {
    const { ann } = company();
    const other = new Map(flights());
    other.set('pipeline.json', (other.get('pipeline.json') as string).replace('p_flights', 'p_other'));
    ann.does({ kind: 'apply-folder', folder: readFolder(other) });
    expect(ann.document.read().pipeline.id).toBe('p_flights');
  });
});

describe('a command that does not apply says why', () => {
  const port = ['n_late', 'in'] as const;
  const refusals: readonly (readonly [string, Command])[] = [
    ['unknown-type', { kind: 'add-node', type: 'nope', at: [0, 0] }],
    ['bad-setting', { kind: 'add-node', type: 'sink/file', at: [0, 0], config: { a: 1n } }],
    ['bad-name', { kind: 'rename-node', node: 'n_late', name: '  ' }],
    ['name-taken', { kind: 'rename-node', node: 'n_late', name: 'count' }],
    ['no-node', { kind: 'rename-node', node: '__proto__', name: 'x' }],
    ['bad-setting', { kind: 'set-setting', node: 'n_late', setting: '__proto__', value: 1 }],
    ['bad-setting', { kind: 'set-setting', node: 'n_late', setting: 'half \udc00', value: 1 }],
    ['bad-setting', { kind: 'set-setting', node: 'n_late', setting: 'a', value: Number.NaN }],
    ['is-code', { kind: 'turn-into-code', node: 'n_count', text: '' }],
    ['no-operator', { kind: 'turn-into-code', node: 'n_out', text: '' }],
    ['cycle', { kind: 'connect', from: ['n_count', 'x'], to: port }],
    ['same-node', { kind: 'connect', from: ['n_late', 'out'], to: port }],
    ['from-sink', { kind: 'connect', from: ['n_out', 'x'], to: port }],
    ['to-injector', { kind: 'connect', from: ['n_count', 'x'], to: ['n_flights', 'in'] }],
    ['unknown-port', { kind: 'connect', from: ['n_flights', 'nope'], to: port }],
    ['unknown-port', { kind: 'connect', from: ['n_count', 'a b'], to: ['n_out', 'in'] }],
    ['duplicate-stream', { kind: 'connect', from: ['n_flights', 'out'], to: port }],
    ['no-stream', { kind: 'disconnect', streams: ['s_gone'] }],
    ['cycle', { kind: 'rewire', stream: 's_3', to: port }],
    ['same-node', { kind: 'splice-node', node: 'n_late', input: 'in', output: 'out', stream: 's_2' }],
    ['nothing', { kind: 'delete', nodes: ['n_gone'] }],
    ['nothing', { kind: 'restore', nodes: ['n_late'] }],
    ['no-node', { kind: 'restore', nodes: ['n_never'] }],
    ['nothing', { kind: 'move', places: [['n_gone', [0, 0]]] }],
    ['bad-place', { kind: 'move', places: [['n_late', [Number.NaN, 0]]] }],
    ['no-note', { kind: 'edit-note', note: 't_gone', text: 'x' }],
    ['no-group', { kind: 'ungroup', groups: ['g_gone'] }],
    ['bad-name', { kind: 'set-parameter', parameter: '__proto__', type: 'string' }],
    ['bad-default', { kind: 'set-parameter', parameter: 'a', type: 'number', default: 'x' }],
    ['no-parameter', { kind: 'delete-parameter', parameter: 'gone' }],
    ['bad-path', { kind: 'add-file', path: '../x.ts', text: '' }],
    ['bad-path', { kind: 'add-file', path: 'nodes/x.ts', text: '' }],
    ['path-taken', { kind: 'add-file', path: 'lib/Zones.ts', text: '' }],
    ['no-file', { kind: 'rename-file', file: 'f_gone', path: 'lib/x.ts' }],
    ['no-code', { kind: 'edit-code', code: 'n_late', splices: [] }],
    ['out-of-range', { kind: 'edit-code', code: 'n_count', splices: [{ at: 0, remove: 1_000, insert: '' }] }],
    [
      'too-long',
      { kind: 'edit-code', code: 'n_count', splices: [{ at: 0, remove: 0, insert: 'x'.repeat(2 ** 21) }] },
    ],
    ['unreadable', { kind: 'apply-folder', folder: readFolder(new Map()) }],
  ];
  for (const [code, command] of refusals) {
    it(`${code}: ${JSON.stringify(command, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)).slice(0, 100)}`, () => {
      const draft = draftOf();
      const before = [...toFolder(draft)];
      expect(run(draft, command)).toBe(code);
      expect([...toFolder(draft)]).toEqual(before);
    });
  }

  it('not-ready: before the draft has arrived, and in a form of a newer build', () => {
    const empty = openDocument();
    expect(run(empty, { kind: 'rename-pipeline', name: 'x' })).toBe('not-ready');
    const newer = draftOf();
    newer.stamp.set('schema', 99);
    expect(run(newer, { kind: 'rename-pipeline', name: 'x' })).toBe('not-ready');
  });
});
