import { MAX_CODE, MAX_UPDATE } from '@millrace/document';
import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import { type BoundText, bindText } from './text-binding.ts';

type Listener = Parameters<BoundText['model']['onDidChangeContent']>[0];

/** A model of which one types at its end. */
function bound() {
  const doc = new Y.Doc();
  const text = doc.getText('code');
  const listeners = new Set<Listener>();
  const updates: Uint8Array[] = [];
  const told: string[] = [];
  let steps = 0;
  let value = '';
  const model: BoundText['model'] = {
    applyEdits: () => undefined as never,
    getPositionAt: () => undefined as never,
    getValue: () => value,
    getValueLength: () => value.length,
    onDidChangeContent: (listener) => {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    setEOL: () => undefined,
    setValue: (next) => {
      value = String(next);
    },
  };
  const typing = {};
  const asOneStep = (work: () => void): void => {
    steps++;
    work();
  };
  bindText({ text, model, typing, lf: 0, asOneStep, onTooLong: () => void told.push('too long') });
  doc.on('update', (update) => void updates.push(update));
  return {
    text,
    updates,
    told,
    value: () => value,
    steps: () => steps,
    paste(pasted: string) {
      const change = { rangeOffset: value.length, rangeLength: 0, text: pasted };
      value += pasted;
      for (const listener of listeners) listener({ changes: [change] } as unknown as Parameters<Listener>[0]);
    },
  };
}

describe('the text of a model and the shared one', () => {
  it('a long paste goes in updates the server takes, and never cuts a character in two', () => {
    const { text, updates, paste, value, steps } = bound();
    const pasted = `x${'🌊'.repeat(200_000)}`;
    paste(pasted);
    expect(text.toString()).toBe(pasted);
    expect(value()).toBe(pasted);
    expect(steps()).toBe(1);
    expect(updates.length).toBeGreaterThan(3);
    expect(Math.max(...updates.map(({ length }) => length))).toBeLessThan(MAX_UPDATE);
    const other = new Y.Doc();
    for (const update of updates) Y.applyUpdate(other, update);
    expect(other.getText('code').toString()).toBe(pasted);
  });

  it('what makes code longer than a draft takes is taken out of the model again, and told', () => {
    const { text, updates, told, paste, value, steps } = bound();
    paste('let a;\n');
    // Typing is joined to steps by the history.
    expect(steps()).toBe(0);
    paste('x'.repeat(MAX_CODE));
    expect(told).toEqual(['too long']);
    expect(value()).toBe('let a;\n');
    expect(text.toString()).toBe('let a;\n');
    expect(updates).toHaveLength(1);
  });
});
