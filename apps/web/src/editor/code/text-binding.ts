/**
 * Keeps one of Monaco's models and one shared text the same.
 *
 * Invariant TB1: after any change of either, both hold the same characters; where that fails, the shared text is
 * the truth. LF only, so that positions in both agree. Undo is the draft's: what the binding types carries the
 * draft's origin and becomes a step there.
 */
import type { editor } from 'monaco-editor/editor';
import type * as Y from 'yjs';

export interface BoundText {
  readonly text: Y.Text;
  readonly model: editor.ITextModel;
  /** Of transactions that are typing. */
  readonly typing: object;
  /** 0: LF. */
  readonly lf: editor.EndOfLineSequence;
}

/** Hands back what ends it. */
export function bindText({ text, model, typing, lf }: BoundText): () => void {
  let applying = false;
  const quietly = (work: () => void): void => {
    applying = true;
    try {
      work();
    } finally {
      applying = false;
    }
  };
  const settle = (): void => {
    if (model.getValue() !== text.toString()) quietly(() => model.setValue(text.toString()));
  };
  model.setEOL(lf);
  settle();

  const fromModel = model.onDidChangeContent(({ changes }) => {
    if (applying) return;
    text.doc?.transact(() => {
      // From the end, so that no change moves the place of the next.
      for (const change of [...changes].sort((a, b) => b.rangeOffset - a.rangeOffset)) {
        const inserted = change.text.replace(/\r\n?/g, '\n');
        if (change.rangeLength > 0) text.delete(change.rangeOffset, change.rangeLength);
        if (inserted !== '') text.insert(change.rangeOffset, inserted);
      }
    }, typing);
    if (text.length !== model.getValueLength()) settle();
  });
  const fromText = (event: Y.YTextEvent): void => {
    if (event.transaction.origin === typing) return;
    quietly(() => {
      let at = 0;
      for (const { retain, insert, delete: removed } of event.delta) {
        if (retain !== undefined) at += retain;
        else if (typeof insert === 'string') {
          model.applyEdits([{ range: rangeOf(model, at, at), text: insert }]);
          at += insert.length;
        } else if (removed !== undefined) {
          model.applyEdits([{ range: rangeOf(model, at, at + removed), text: '' }]);
        }
      }
    });
    if (text.length !== model.getValueLength()) settle();
  };
  text.observe(fromText);
  return () => {
    fromModel.dispose();
    text.unobserve(fromText);
  };
}

function rangeOf(model: editor.ITextModel, from: number, to: number) {
  const [start, end] = [model.getPositionAt(from), model.getPositionAt(to)];
  return {
    startLineNumber: start.lineNumber,
    startColumn: start.column,
    endLineNumber: end.lineNumber,
    endColumn: end.column,
  };
}
