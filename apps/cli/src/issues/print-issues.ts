import type { LoadedPipeline } from '../pipeline/load-pipeline.ts';
import type { Terminal } from '../terminal.ts';
import { issueLines } from './issue-lines.ts';

/** The issues of a pipeline, to where its result does not go. */
export function printIssues(
  { issues, named }: Pick<LoadedPipeline, 'issues' | 'named'>,
  terminal: Terminal,
  write: (text: string) => void = terminal.stderr,
): void {
  for (const line of issueLines(issues, named, terminal.style)) write(`${line}\n`);
}
