import { join } from 'node:path';
import type { Issue } from '@millrace/graph';
import type { Style } from '../text/style.ts';
import { printable } from '../text/width.ts';

/**
 * One issue a line, as editors and compilers read it: `file:line:column: error: message`, in the order of the
 * files. Further lines of a message are indented below it.
 */
export function issueLines(issues: readonly Issue[], folder: string, style: Style): string[] {
  return [...issues].sort(byPlace).map((issue) => {
    const place = `${printable(join(folder, issue.file))}:${issue.line}:${issue.column}`;
    const severity = issue.severity === 'error' ? style.red('error') : style.yellow('warning');
    const message = issue.message.trimEnd().split('\n').map(printable).join('\n    ');
    return `${style.bold(place)}: ${severity}: ${message}`;
  });
}

/** `2 errors, 1 warning` */
export function countOfIssues(issues: readonly Issue[]): string {
  const errors = issues.filter((issue) => issue.severity === 'error').length;
  return [plural(errors, 'error'), plural(issues.length - errors, 'warning')].filter(Boolean).join(', ');
}

export const hasErrors = (issues: readonly Issue[]): boolean => issues.some((i) => i.severity === 'error');

const plural = (n: number, word: string): string => (n === 0 ? '' : `${n} ${word}${n === 1 ? '' : 's'}`);

function byPlace(a: Issue, b: Issue): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
