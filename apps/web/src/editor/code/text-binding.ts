/**
 * Keeps one of Monaco's models and one shared text the same.
 *
 * Invariant TB1: after any change of either, both hold the same characters; where that fails, the shared text is
 * the truth. LF only, so that positions in both agree. Undo is the draft's: what the binding types carries the
 * draft's origin and becomes a step there.
 *
 * A draft has a limit for a file of code, and the server one for an update: what is too long is taken out of the
 * model again, what is long goes in pieces. Past either limit the page could not go on editing.
 */
import { MAX_CODE } from '@millrace/document';
import type { editor } from 'monaco-editor/editor';
import type * as Y from 'yjs';

export interface BoundText {
  readonly text: Y.Text;
  readonly model: Pick<
    editor.ITextModel,
    | 'applyEdits'
    | 'getPositionAt'
    | 'getValue'
    | 'getValueLength'
    | 'onDidChangeContent'
    | 'setEOL'
    | 'setValue'
  >;
  /** Of transactions that are typing. */
  readonly typing: object;
  /** 0: LF. */
  readonly lf: editor.EndOfLineSequence;
  /** What is written while `work` runs is taken back by one undo. */
  readonly asOneStep: (work: () => void) => void;
  /** Told that a change would have made the code longer than a draft takes: it is undone already. */
  readonly onTooLong: () => void;
}

/** Characters of one update: far below what the server takes, whatever their size in bytes. */
const PIECE = 100_000;

/** Hands back what ends it. */
export function bindText({ text, model, typing, lf, asOneStep, onTooLong }: BoundText): () => void {
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
    const splices = changes.map((change) => ({
      at: change.rangeOffset,
      removed: change.rangeLength,
      inserted: change.text.replace(/\r\n?/g, '\n'),
    }));
    const length = splices.reduce(
      (sum, { removed, inserted }) => sum + inserted.length - removed,
      text.length,
    );
    if (length > MAX_CODE && length > text.length) {
      settle();
      return onTooLong();
    }
    write({ text, typing, asOneStep }, splices);
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

interface Splice {
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}

type Writer = Pick<BoundText, 'text' | 'typing' | 'asOneStep'>;

function write({ text, typing, asOneStep }: Writer, splices: readonly Splice[]): void {
  // From the end, so that no change moves the place of the next.
  const steps = [...splices]
    .sort((a, b) => b.at - a.at)
    .flatMap(({ at, removed, inserted }) => [
      ...(removed > 0 ? [() => text.delete(at, removed)] : []),
      ...pieces(inserted).map(
        ({ from, piece }) =>
          () =>
            text.insert(at + from, piece),
      ),
    ]);
  const isLong = splices.reduce((sum, { inserted }) => sum + inserted.length, 0) > PIECE;
  if (!isLong) text.doc?.transact(() => steps.forEach((step) => void step()), typing);
  else
    asOneStep(() => {
      for (const step of steps) text.doc?.transact(step, typing);
    });
}

/** Never between the two halves of a character: each piece is sent as UTF-8. */
function pieces(text: string): readonly { readonly from: number; readonly piece: string }[] {
  const cut: { from: number; piece: string }[] = [];
  for (let from = 0; from < text.length; ) {
    const isPair = /[\ud800-\udbff]/.test(text.charAt(from + PIECE - 1));
    const to = from + PIECE - (isPair ? 1 : 0);
    cut.push({ from, piece: text.slice(from, to) });
    from = to;
  }
  return cut;
}

function rangeOf(model: BoundText['model'], from: number, to: number) {
  const [start, end] = [model.getPositionAt(from), model.getPositionAt(to)];
  return {
    startLineNumber: start.lineNumber,
    startColumn: start.column,
    endLineNumber: end.lineNumber,
    endColumn: end.column,
  };
}
