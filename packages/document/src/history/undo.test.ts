import { describe, expect, it } from 'vitest';
import { company, typed } from '../../test/company.ts';
import { toFolder } from '../folder/to-folder.ts';
import { EMPTY_HISTORY, type History } from './history.ts';
import { readHistory } from './read-history.ts';
import { record } from './record.ts';
import { undo } from './undo.ts';

const START = 'export default 1;\n';

describe('undo while others edit', () => {
  it('leaves a field alone that somebody has set since, and says so', () => {
    const { ann, bob, meet } = company();
    ann.does({ kind: 'rename-node', node: 'n_late', name: 'mine' });
    meet();
    bob.does({ kind: 'rename-node', node: 'n_late', name: 'theirs' });
    meet();
    const { skipped, changes } = ann.undoes();
    expect(skipped).toMatchObject([{ table: 'nodes', id: 'n_late', field: 'name' }]);
    expect(changes).toEqual([]);
    expect(ann.document.read().pipeline.nodes.get('n_late')?.name).toBe('theirs');
    expect(ann.history()).toMatchObject({ undo: [], redo: [] });
  });

  it('takes back the part of a step that still holds', () => {
    const { ann, bob, meet } = company();
    ann.does({
      kind: 'move',
      places: [
        ['n_late', [1, 1]],
        ['n_count', [2, 2]],
      ],
    });
    meet();
    bob.does({ kind: 'move', places: [['n_count', [9, 9]]] });
    meet();
    expect(ann.undoes().skipped).toHaveLength(1);
    const { nodes } = ann.document.read().layout;
    expect([nodes.get('n_late')?.at, nodes.get('n_count')?.at]).toEqual([
      [200, 0],
      [9, 9],
    ]);
  });

  it('removes exactly what one typed, in whatever way others typed into it', () => {
    const { ann, bob, meet } = company();
    ann.does(typed('n_count', 0, 'hello world '));
    meet();
    bob.does(typed('n_count', 5, ' dear'));
    bob.does(typed('n_count', 0, '// '));
    meet();
    expect(ann.codeOf('n_count')).toBe(`// hello dear world ${START}`);
    ann.undoes();
    meet();
    expect(bob.codeOf('n_count')).toBe(`//  dear${START}`);
    ann.redoes();
    meet();
    expect(bob.codeOf('n_count')).toBe(`// hello dear world ${START}`);
  });

  it('brings deleted text back where it stood, around what others typed there', () => {
    const { ann, bob, meet } = company();
    ann.does(typed('n_count', 0, '', 'export default'.length));
    bob.does(typed('n_count', 'export'.length, ' (really)'));
    meet();
    expect(ann.codeOf('n_count')).toBe(' (really) 1;\n');
    ann.undoes();
    meet();
    expect(bob.codeOf('n_count')).toBe('export (really) default 1;\n');
  });

  it('a node deleted by one while the other types in it comes back whole', () => {
    const { ann, bob, meet } = company();
    const before = [...toFolder(ann.document)];
    ann.does({ kind: 'delete', nodes: ['n_count'] });
    bob.does(typed('n_count', 0, '// typed meanwhile\n'));
    bob.does({ kind: 'rename-node', node: 'n_count', name: 'counts' });
    meet();
    expect(bob.document.read().pipeline.nodes.has('n_count')).toBe(false);
    ann.undoes();
    meet();
    const now = toFolder(bob.document);
    expect(now.get('nodes/count.ts')).toBe(`// typed meanwhile\n${START}`);
    expect(now.get('pipeline.json')).toBe(
      new Map(before).get('pipeline.json')?.replace('"name": "count"', '"name": "counts"'),
    );
  });

  it('undoing the adding of a node others have connected hides the stream until the node is back', () => {
    const { ann, bob, meet } = company();
    const [node = ''] = ann.does({ kind: 'add-node', type: 'sink/file', at: [0, 0] }).made;
    meet();
    const [stream = ''] = bob.does({ kind: 'connect', from: ['n_count', 'counts'], to: [node, 'in'] }).made;
    meet();
    ann.undoes();
    expect(ann.document.read().pipeline.streams.has(stream)).toBe(false);
    expect(ann.document.read().problems.map(({ code }) => code)).toEqual(['dangling-stream']);
    ann.redoes();
    expect(ann.document.read().pipeline.streams.has(stream)).toBe(true);
    expect(ann.document.read().problems).toEqual([]);
  });
});

describe('what is one step', () => {
  it('a burst of typing, a pause and a burst are two steps', () => {
    const { ann } = company();
    for (const [i, letter] of [...'abc'].entries()) ann.does(typed('n_count', i, letter), { at: i * 200 });
    for (const [i, letter] of [...'de'].entries())
      ann.does(typed('n_count', 3 + i, letter), { at: 5_000 + i * 200 });
    expect(ann.history().undo).toHaveLength(2);
    ann.undoes();
    expect(ann.codeOf('n_count')).toBe(`abc${START}`);
    ann.undoes();
    expect(ann.codeOf('n_count')).toBe(START);
    ann.redoes();
    expect(ann.codeOf('n_count')).toBe(`abc${START}`);
  });

  it('typing in another file begins another step', () => {
    const { ann } = company();
    const [file = ''] = ann.document.read().files.keys();
    ann.does(typed('n_count', 0, 'a'), { at: 0 });
    ann.does(typed(file, 0, 'b'), { at: 10 });
    expect(ann.history().undo).toHaveLength(2);
  });

  it('what was typed and deleted at once is no step', () => {
    const { ann } = company();
    ann.does(typed('n_count', 0, 'x'), { at: 0 });
    ann.does(typed('n_count', 0, '', 1), { at: 10 });
    expect(ann.history().undo).toEqual([]);
  });

  it('a gesture is one step, back to where it began', () => {
    const { ann } = company();
    const [node = ''] = ann.does(
      { kind: 'add-node', type: 'operator/map', at: [0, 0] },
      { gesture: 'drop' },
    ).made;
    ann.does({ kind: 'splice-node', node, input: 'in', output: 'out', stream: 's_2' }, { gesture: 'drop' });
    for (let x = 1; x < 5; x++) ann.does({ kind: 'move', places: [[node, [x, x]]] }, { gesture: 'drop' });
    expect(ann.history().undo).toHaveLength(1);
    ann.undoes();
    expect([...toFolder(ann.document)]).toEqual([...toFolder(company().ann.document)]);
  });

  it('an edit after an undo ends what could be redone', () => {
    const { ann } = company();
    ann.does({ kind: 'rename-pipeline', name: 'a' });
    ann.undoes();
    ann.does({ kind: 'rename-pipeline', name: 'b' });
    expect(ann.history().redo).toEqual([]);
  });
});

describe('a history as data', () => {
  it('H1: survives a reload at any point between two steps', () => {
    const { ann } = company();
    ann.does(typed('n_count', 0, 'abc'));
    ann.does(typed('n_count', 1, '', 1));
    ann.undoes();
    ann.undoes();
    expect(ann.codeOf('n_count')).toBe(START);
    expect(readHistory(JSON.parse(JSON.stringify(ann.history())))).toEqual(ann.history());
    ann.redoes();
    ann.redoes();
    expect(ann.codeOf('n_count')).toBe(`ac${START}`);
    ann.undoes();
    ann.undoes();
    expect(ann.codeOf('n_count')).toBe(START);
  });

  it('H2: keeps the newest 500 steps and 1 MB', () => {
    let history: History = EMPTY_HISTORY;
    const change = { kind: 'field', table: 'settings', id: '', field: 'name' } as const;
    for (let i = 0; i < 600; i++) {
      history = record(history, { label: `${i}`, at: i, epoch: 1, changes: [{ ...change, after: i }] });
    }
    expect([history.undo.length, history.undo[0]?.label]).toEqual([500, '100']);
    const large = 'x'.repeat(400_000);
    for (let i = 0; i < 4; i++) {
      history = record(history, {
        label: `large ${i}`,
        at: i,
        epoch: 1,
        changes: [{ ...change, after: large }],
      });
    }
    expect(history.undo.map(({ label }) => label)).toEqual(['large 2', 'large 3']);
  });

  it('text of an earlier epoch is skipped, settings are not', () => {
    const { ann } = company();
    const { changes } = ann.does(typed('n_count', 0, 'a'));
    const named = ann.does({ kind: 'rename-pipeline', name: 'new' }).changes;
    const old = record(EMPTY_HISTORY, { label: 'old', at: 0, epoch: 7, changes: [...changes, ...named] });
    expect(undo(ann.document, old, 0)).toMatchObject({ kind: 'stepped', skipped: [{ kind: 'text' }] });
    expect(ann.document.read().pipeline.name).toBe('Flights');
    expect(ann.codeOf('n_count')).toBe(`a${START}`);
  });

  it('what is no history is an empty one', () => {
    const entry = {
      label: 'x',
      at: 1,
      epoch: 1,
      changes: [{ kind: 'field', table: '__proto__', id: '', field: 'a' }],
    };
    for (const value of [null, [], 'x', { version: 2 }, { version: 1, undo: [entry], redo: [] }]) {
      expect(readHistory(value)).toEqual(EMPTY_HISTORY);
    }
  });
});
