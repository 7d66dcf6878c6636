/** What a run tells at its end: a table and the latest dead letters, or one line of JSON. */
import type { DeadLetterRow, RunResult } from '@millrace/engine';
import type { RunPlan } from '@millrace/graph';
import type { Terminal } from '../terminal.ts';
import { duration, whole } from '../text/numbers.ts';
import { printable } from '../text/width.ts';
import { deadLetterLines } from './dead-letter-lines.ts';
import { summaryLines } from './summary-lines.ts';

export interface Ended {
  readonly plan: RunPlan;
  readonly version: number;
  readonly result: RunResult;
  readonly elapsedMs: number;
  /** The latest few; the counts are in the summary. */
  readonly deadLetters: readonly DeadLetterRow[];
}

export const shownDeadLetters = 5;

/** `report` writes the result to stdout and, with `json`, the rest to stderr. */
export function report(ended: Ended, json: boolean, terminal: Terminal): void {
  const write = json ? terminal.stderr : terminal.stdout;
  write(`${humanLines(ended, terminal).join('\n')}\n`);
  if (json) terminal.stdout(`${JSON.stringify(resultJson(ended))}\n`);
}

function humanLines(ended: Ended, { style, size }: Terminal): string[] {
  const { columns } = size();
  const total = ended.result.summary.nodes.reduce((sum, node) => sum + node.deadLettered, 0);
  const letters = ended.deadLetters.slice(0, shownDeadLetters);
  return [
    headline(ended, style.bold, style.red),
    ...summaryLines(ended.result.summary, columns, style),
    ...(letters.length > 0 ? ['', ...deadLetterLines(letters, ended.plan, columns, style)] : []),
    ...(total > letters.length ? [`… ${whole(total)} dead letters in all`] : []),
  ];
}

const words = { done: 'done', drained: 'drained and stopped', failed: 'failed' } as const;

function headline(
  { plan, result, elapsedMs }: Ended,
  bold: (text: string) => string,
  red: (text: string) => string,
): string {
  const text = bold(`${printable(plan.name)}: ${words[result.kind]} after ${duration(elapsedMs)}`);
  return result.error === undefined ? text : `${text}\n${red('error')}: ${printable(result.error)}`;
}

function resultJson({ plan, version, result, elapsedMs, deadLetters }: Ended): unknown {
  return {
    ok: result.kind !== 'failed',
    kind: result.kind,
    ...(result.error === undefined ? {} : { error: result.error }),
    pipeline: plan.pipeline,
    name: plan.name,
    version,
    elapsedMs: Math.round(elapsedMs),
    nodes: result.summary.nodes,
    deadLetters: deadLetters.map(({ node, origin, error, key, timestamp, attempts, input }) => {
      return { node, origin, error, key, timestamp, attempts, input };
    }),
  };
}
