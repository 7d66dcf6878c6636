/** Which dead letters have one cause: the same node, the same line of its code, the same error but for its values. */
import { createHash } from 'node:crypto';
import type { DeadLetterRow } from '@millrace/engine';

export interface DeadLetterGroupKey {
  /** Hexadecimal. */
  readonly hash: string;
  /** The error's first line, with what differs from record to record left out. */
  readonly error: string;
  /** `nodes/x.ts:3:7`, of a stack already mapped to the TypeScript lines. */
  readonly place: string | undefined;
}

const LONGEST = 300;

export function groupOf({ node, error, stack }: DeadLetterRow): DeadLetterGroupKey {
  const place = /((?:nodes|lib)\/[^\s():]{1,200}\.ts:\d+:\d+)/.exec(stack)?.[1];
  const common = withoutValues(error.slice(0, 4 * LONGEST).split('\n', 1)[0] ?? '').slice(0, LONGEST);
  const hash = createHash('sha256')
    .update(JSON.stringify([node, common, place ?? null]))
    .digest('hex');
  return { hash, error: common, place };
}

function withoutValues(line: string): string {
  return line
    .replaceAll('\0', '\uFFFD')
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\d+(?:\.\d+)?/g, '#');
}
