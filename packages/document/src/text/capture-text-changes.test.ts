import { describe, expect, it } from 'vitest';
import type * as Y from 'yjs';
import { company } from '../../test/company.ts';
import { EMPTY_HISTORY } from '../history/history.ts';
import { record } from '../history/record.ts';
import { undo } from '../history/undo.ts';
import { captureTextChanges } from './capture-text-changes.ts';

describe('captureTextChanges', () => {
  it('what a binding of the code editor did becomes a step like any other', () => {
    const { ann, bob, meet } = company();
    const { document } = ann;
    let history = EMPTY_HISTORY;
    document.doc.on('afterTransaction', (transaction: Y.Transaction) => {
      if (!transaction.local || transaction.origin !== 'monaco') return;
      const changes = captureTextChanges(document, transaction);
      history = record(history, { label: 'edit-code', at: 0, epoch: 1, changes });
    });
    const text = document.code('n_count') as Y.Text;
    document.doc.transact(() => {
      text.delete(0, 6);
      text.insert(0, 'EXPORT');
    }, 'monaco');
    bob.does({ kind: 'edit-code', code: 'n_count', splices: [{ at: 7, remove: 0, insert: '/* bob */ ' }] });
    meet();
    expect(ann.codeOf('n_count')).toBe('EXPORT /* bob */ default 1;\n');
    undo(document, history, 0);
    expect(ann.codeOf('n_count')).toBe('export /* bob */ default 1;\n');
  });

  it('what is inserted and deleted within one transaction is no change', () => {
    const { ann } = company();
    const { document } = ann;
    let changes: unknown;
    const text = document.code('n_count') as Y.Text;
    document.doc.transact((transaction) => {
      text.insert(0, 'abc');
      text.delete(0, 3);
      changes = captureTextChanges(document, transaction);
    });
    expect(changes).toEqual([]);
  });
});
