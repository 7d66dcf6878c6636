/** What a dead letter of a worker must be: the host stores it as it is and shows it to people. */
import { checkRedrivable } from '@millrace/protocol';
import type { DeadLetterRow } from '../ports.ts';

const TEXTS = ['id', 'node', 'input', 'error', 'stack', 'origin'] as const satisfies (keyof DeadLetterRow)[];
const OPTIONAL_TEXTS = ['key', 'state'] as const satisfies (keyof DeadLetterRow)[];
const COUNTS = ['version', 'attempts'] as const satisfies (keyof DeadLetterRow)[];
const FIELDS = new Set<string>([...TEXTS, ...OPTIONAL_TEXTS, ...COUNTS, 'timestamp', 'redrive']);

export function checkLetter(json: string, nodes: ReadonlySet<string>): void {
  const letter = JSON.parse(json) as Record<string, unknown>;
  for (const field of TEXTS)
    if (typeof letter[field] !== 'string') throw new Error(`a dead letter without "${field}"`);
  for (const field of OPTIONAL_TEXTS)
    if (letter[field] !== undefined && typeof letter[field] !== 'string')
      throw new Error(`a dead letter whose "${field}" is not text`);
  for (const field of COUNTS)
    if (!(Number.isSafeInteger(letter[field]) && (letter[field] as number) >= 0))
      throw new Error(`a dead letter whose "${field}" is no number`);
  if (letter.timestamp !== undefined && !Number.isFinite(letter.timestamp))
    throw new Error('a dead letter whose timestamp is not a time');
  if (letter.redrive !== undefined) checkRedrivable(letter.redrive);
  for (const field of Object.keys(letter))
    if (!FIELDS.has(field)) throw new Error(`a dead letter with a field "${field.slice(0, 100)}"`);
  if (!nodes.has(letter.node as string))
    throw new Error(
      `a dead letter of "${(letter.node as string).slice(0, 100)}", which is no node of this pipeline`,
    );
}
