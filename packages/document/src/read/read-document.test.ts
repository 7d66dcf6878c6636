import { readFolder } from '@millrace/graph';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import { company } from '../../test/company.ts';
import { draftOf } from '../../test/fixture.ts';
import { commandOf, dice } from '../../test/random-command.ts';
import { copySelection, selectionText } from '../clipboard/selection.ts';
import { applyCommand } from '../commands/apply-command.ts';
import { filesOf, toFolder } from '../folder/to-folder.ts';
import { openDocument } from '../shape/open-document.ts';
import { emptyDoc } from '../shape/roots.ts';
import { ENTITY_TABLES } from '../shape/tables.ts';

describe('what merging breaks is put right, the same everywhere, and told', () => {
  it('two nodes named alike at the same time', () => {
    const { ann, bob, meet } = company();
    ann.does({ kind: 'rename-node', node: 'n_late', name: 'same' });
    bob.does({ kind: 'rename-node', node: 'n_count', name: 'same' });
    meet();
    for (const { document } of [ann, bob]) {
      const { pipeline, problems } = document.read();
      expect([pipeline.nodes.get('n_count')?.name, pipeline.nodes.get('n_late')?.name]).toEqual([
        'same',
        'same 2',
      ]);
      expect(problems).toMatchObject([{ code: 'duplicate-name', node: 'n_late', severity: 'warning' }]);
    }
  });

  it('two code nodes that were given the same file', () => {
    const { ann, bob, meet } = company();
    const made = [ann, bob].map(({ does }, i) => {
      const [id = ''] = does({ kind: 'add-node', type: 'code', at: [0, 0], name: 'new', text: `${i}` }).made;
      return id;
    });
    meet();
    const files = filesOf(ann.document);
    expect([...filesOf(bob.document)].sort()).toEqual([...files].sort());
    const [first = '', second = ''] = [...made].sort();
    expect(files.get('nodes/new.ts')).toBe(made[0] === first ? '0' : '1');
    expect(files.get(`nodes/new-${second.replace('_', '-')}.ts`)).toBe(made[0] === first ? '1' : '0');
    expect(ann.document.read().problems.map(({ code }) => code)).toEqual(['duplicate-name', 'shared-code']);
  });

  it('two shared files of one path', () => {
    const { ann, bob, meet } = company();
    ann.does({ kind: 'add-file', path: 'lib/a.ts', text: 'ann' });
    bob.does({ kind: 'add-file', path: 'lib/a.ts', text: 'bob' });
    meet();
    const texts = [...filesOf(ann.document)]
      .filter(([path]) => path.startsWith('lib/a'))
      .map(([, text]) => text);
    expect(texts.sort()).toEqual(['ann', 'bob']);
    expect(ann.document.read().problems).toMatchObject([{ code: 'duplicate-file' }]);
  });

  it('the same wire drawn by both', () => {
    const { ann, bob, meet } = company();
    for (const { does } of [ann, bob])
      does({ kind: 'connect', from: ['n_late', 'out'], to: ['n_out', 'in'] });
    meet();
    const wires = [...ann.document.read().pipeline.streams.values()].filter(({ to }) => to[0] === 'n_out');
    expect(wires).toHaveLength(2);
    expect(bob.document.read().problems).toMatchObject([{ code: 'duplicate-stream' }]);
  });

  it('a wire to a node the other deletes', () => {
    const { ann, bob, meet } = company();
    ann.does({ kind: 'delete', nodes: ['n_out'] });
    const [stream = ''] = bob.does({ kind: 'connect', from: ['n_late', 'out'], to: ['n_out', 'in'] }).made;
    meet();
    expect(ann.document.read().pipeline.streams.has(stream)).toBe(false);
    expect(ann.document.read().problems).toMatchObject([{ code: 'dangling-stream', stream }]);
  });

  it('a cycle of two wires is left to the validation, which names it', () => {
    const { ann, bob, meet } = company();
    const [a = ''] = ann.does({ kind: 'add-node', type: 'code', at: [0, 0], name: 'a' }).made;
    const [b = ''] = ann.does({ kind: 'add-node', type: 'code', at: [0, 0], name: 'b' }).made;
    meet();
    ann.does({ kind: 'connect', from: [a, 'out'], to: [b, 'in'] });
    bob.does({ kind: 'connect', from: [b, 'out'], to: [a, 'in'] });
    meet();
    expect(ann.document.read().problems).toEqual([]);
    expect(ann.document.read().pipeline.streams.size).toBe(5);
  });

  it('a code node whose text is not there', () => {
    const draft = draftOf();
    draft.codes.delete('n_count');
    expect(draft.read().problems).toMatchObject([
      { code: 'missing-code', node: 'n_count', severity: 'error' },
    ]);
    expect(toFolder(draft).has('nodes/count.ts')).toBe(false);
  });

  it('fields of another type than they should be are reported and take their default', () => {
    const draft = draftOf();
    const late = draft.tables.nodes.get('n_late') as Y.Map<unknown>;
    late.set('name', 7);
    late.set('exactlyOnce', 'no');
    late.set('productions', 'none');
    late.set('config.x', { plain: 'object' });
    (draft.tables.streams.get('s_1') as Y.Map<unknown>).set('from', ['["n_late"]']);
    const { pipeline, problems } = draft.read();
    expect(pipeline.nodes.get('n_late')).toMatchObject({
      name: '',
      exactlyOnce: true,
      productions: 'strong',
    });
    expect(pipeline.nodes.get('n_late')?.config).toEqual({ expression: 'value.delay > 0' });
    expect(pipeline.streams.has('s_1')).toBe(false);
    expect(problems.map(({ path }) => path).sort()).toEqual([
      'nodes.n_late.config.x',
      'nodes.n_late.exactlyOnce',
      'nodes.n_late.name',
      'nodes.n_late.productions',
      'streams.s_1.from',
    ]);
  });
});

describe('a reading', () => {
  it('is the same object until something changed, and keeps what did not', () => {
    const draft = draftOf();
    const first = draft.read();
    draft.code('n_count')?.insert(0, 'typing');
    expect(draft.read()).toBe(first);
    (draft.tables.nodes.get('n_late') as Y.Map<unknown>).set('name', 'new');
    const second = draft.read();
    expect(second).not.toBe(first);
    expect(second.pipeline.nodes.get('n_count')).toBe(first.pipeline.nodes.get('n_count'));
    expect(second.pipeline.streams.get('s_1')).toBe(first.pipeline.streams.get('s_1'));
    expect(second.layout.notes).toBe(first.layout.notes);
  });

  it('tells those who subscribed, once a change and not while somebody types', () => {
    const { ann, bob, meet } = company();
    const seen: string[] = [];
    const end = ann.document.subscribe(() => seen.push(ann.document.read().pipeline.name));
    ann.does({ kind: 'rename-pipeline', name: 'a' });
    ann.does({ kind: 'edit-code', code: 'n_count', splices: [{ at: 0, remove: 0, insert: 'x' }] });
    bob.does({ kind: 'rename-pipeline', name: 'b' });
    meet();
    end();
    ann.does({ kind: 'rename-pipeline', name: 'c' });
    expect(seen).toEqual(['a', 'b']);
  });

  it('never throws, whatever an unguarded peer has written, nor does a command', () => {
    fc.assert(
      fc.property(
        fc.array(vandalism, { maxLength: 20 }),
        fc.array(dice, { maxLength: 6 }),
        (acts, throws) => {
          const vandal = emptyDoc(9);
          const state = Y.encodeStateAsUpdate(draftOf().doc);
          Y.applyUpdate(vandal, state);
          const draft = openDocument({ clientId: 10 });
          Y.applyUpdate(draft.doc, state);
          draft.read();
          for (const act of acts) {
            vandal.transact(() => vandalise(vandal, act));
            Y.applyUpdate(draft.doc, Y.encodeStateAsUpdate(vandal, Y.encodeStateVector(draft.doc)));
            draft.read();
          }
          for (const thrown of throws) applyCommand(draft, commandOf(draft, thrown), { random: Math.random });
          readFolder(toFolder(draft));
          selectionText(copySelection(draft, { nodes: [...draft.read().pipeline.nodes.keys()] }));
          expect(Object.getPrototypeOf({})).toBe(Object.prototype);
          expect(({} as Record<string, unknown>).polluted).toBeUndefined();
        },
      ),
      { numRuns: 200 },
    );
  });
});

const key = fc.constantFrom(
  'n_late',
  'n_count',
  's_1',
  '__proto__',
  'constructor',
  '',
  'name',
  'from',
  'at',
  'path',
);
const value = fc.constantFrom<unknown>(
  1,
  'text',
  null,
  undefined,
  10n ** 15n,
  Number.NaN,
  { polluted: 1 },
  [[[]]],
  ['{"__proto__":{"polluted":1}}'],
  ['['],
  ['[1e999]'],
  ['[1,2]'],
  new Uint8Array(2),
  'map',
  'list',
  'code',
  'xml',
);
const vandalism = fc.record({
  root: fc.constantFrom(...ENTITY_TABLES, 'settings', 'codes', 'document'),
  deep: fc.boolean(),
  key,
  field: fc.oneof(key, fc.constantFrom('deleted', 'type', 'code', 'config.a', 'keyBy', 'to', 'group')),
  value,
});

/** What no command of ours does: sets anything anywhere. */
function vandalise(
  doc: Y.Doc,
  act: { root: string; deep: boolean; key: string; field: string; value: unknown },
): void {
  const map: Y.Map<unknown> = doc.getMap(act.root);
  const entity = map.get(act.key);
  const target: Y.Map<unknown> = act.deep && entity instanceof Y.Map ? entity : map;
  target.set(target === map ? act.key : act.field, made(act.value));
}

function made(what: unknown): unknown {
  if (what === 'map') return new Y.Map<unknown>([['name', 'x']]);
  if (what === 'list') return Y.Array.from([1, [2]]);
  if (what === 'code') return new Y.Text('some');
  return what === 'xml' ? new Y.XmlElement('p') : what;
}
