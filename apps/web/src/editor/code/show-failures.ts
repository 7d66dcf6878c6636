/** Writes failures behind their lines. */
import type { editor } from 'monaco-editor/editor';
import { formatCount } from '../../text/format-number.ts';
import { codeWords as words } from '../../text/strings/code.ts';
import type { Failure } from './failures.ts';
import styles from './show-failures.module.css';

/** Decorations of what failed; errors are text of records, never markdown. */
export function failureDecorations(
  failures: readonly Failure[],
  model: editor.ITextModel,
): editor.IModelDeltaDecoration[] {
  return failures
    .filter(({ line }) => line <= model.getLineCount())
    .map(({ line, count, error }) => {
      const column = model.getLineMaxColumn(line);
      return {
        range: { startLineNumber: line, endLineNumber: line, startColumn: 1, endColumn: column },
        options: {
          isWholeLine: true,
          className: styles.line ?? '',
          after: {
            content: `    ${words.failed(formatCount(count), error)}`,
            inlineClassName: styles.text ?? '',
          },
          hoverMessage: { value: plain(words.failedAbout(formatCount(count), error)) },
        },
      };
    });
}

const plain = (text: string): string => text.replace(/[\\`*_{}[\]()#+\-.!<>|&]/g, '\\$&');
