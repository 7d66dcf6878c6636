import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import { company, typed } from '../../test/company.ts';
import { undo } from '../history/undo.ts';
import { renewDocument } from './renew-document.ts';
import { toFolder } from './to-folder.ts';

describe('renewDocument', () => {
  it('says the same, in fewer bytes, under the next epoch', () => {
    const { ann } = company();
    for (let i = 0; i < 200; i++) ann.does({ kind: 'move', places: [['n_late', [i, i]]] });
    ann.does(typed('n_count', 0, 'x'.repeat(5_000)));
    ann.does(typed('n_count', 0, '', 5_000));
    const renewed = renewDocument(ann.document, { epoch: 2, clientId: 1 });
    expect(renewed.epoch()).toBe(2);
    expect([...toFolder(renewed)]).toEqual([...toFolder(ann.document)]);
    const size = ({ doc }: { doc: Y.Doc }): number => Y.encodeStateAsUpdate(doc).length;
    expect(size(renewed)).toBeLessThan(size(ann.document) / 3);
  });

  it('what was deleted can still be brought back', () => {
    const { ann } = company();
    const before = [...toFolder(ann.document)];
    ann.does({ kind: 'delete', nodes: ['n_count'] });
    const renewed = renewDocument(ann.document, { epoch: 2, clientId: 1 });
    expect(undo(renewed, ann.history(), 0)).toMatchObject({ kind: 'stepped', skipped: [] });
    expect([...toFolder(renewed)]).toEqual(before);
  });

  it('leaves behind what is no part of a draft', () => {
    const { ann } = company();
    ann.document.tables.nodes.set('n_broken', 'no entity');
    (ann.document.tables.nodes.get('n_late') as Y.Map<unknown>).set('config.x', 1n);
    ann.document.codes.set('n_odd', new Y.Map());
    expect(ann.document.read().problems).toHaveLength(2);
    const renewed = renewDocument(ann.document, { epoch: 2, clientId: 1 });
    expect(renewed.read().problems).toEqual([]);
    expect([...toFolder(renewed)]).toEqual([...toFolder(ann.document)]);
  });
});
