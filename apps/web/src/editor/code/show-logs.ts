/** Writes what was logged behind the lines that logged it; a click on it asks for the log of that line. */
import type { editor } from 'monaco-editor/editor';
import { formatCount } from '../../text/format-number.ts';
import { codeWords as words } from '../../text/strings/code.ts';
import type { LogNote } from './log-notes.ts';
import styles from './show-logs.module.css';

/** Texts of the log are never markdown. */
export function logDecorations(
  notes: readonly LogNote[],
  model: editor.ITextModel,
): editor.IModelDeltaDecoration[] {
  return notes
    .filter(({ line }) => line <= model.getLineCount())
    .map(({ line, count, level, text }) => {
      const column = model.getLineMaxColumn(line);
      return {
        range: { startLineNumber: line, endLineNumber: line, startColumn: column, endColumn: column },
        options: {
          showIfCollapsed: true,
          after: {
            content: `    ${words.logged(formatCount(count), text)}`,
            inlineClassName: `${styles.log} ${styles[level] ?? ''}`,
          },
        },
      };
    });
}

export interface LogLinksOptions {
  readonly instance: editor.IStandaloneCodeEditor;
  /** Lines with something to see. */
  readonly hasNote: (line: number) => boolean;
  readonly onOpen: (line: number) => void;
}

/** By a click, and from the editor's menu and its list of commands for who has no mouse; gives the way to stop. */
export function addLogLinks({ instance, hasNote, onOpen }: LogLinksOptions): () => void {
  const clicks = instance.onMouseDown(({ target: { element, position } }) => {
    if (position !== null && element?.classList.contains(styles.log ?? '') === true)
      onOpen(position.lineNumber);
  });
  const action = instance.addAction({
    id: 'millrace.log-of-line',
    label: words.logOfLine,
    contextMenuGroupId: 'navigation',
    run: (at) => {
      const line = at.getPosition()?.lineNumber;
      if (line !== undefined && hasNote(line)) onOpen(line);
    },
  });
  return () => {
    clicks.dispose();
    action.dispose();
  };
}
