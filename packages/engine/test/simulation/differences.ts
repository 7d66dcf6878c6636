/** Every difference between what a run has left and what it must be is a line. */
import type { NodeCounts } from '../../src/host/run-options.ts';
import type { DeadLetterRow } from '../../src/ports.ts';
import { compared } from '../compared.ts';
import type { PlainRecord } from './record.ts';
import type { Outside, StoredRow } from './simulated-connectors.ts';
import type { Expected } from './topology.ts';

export function differences(
  { rows, letters, delivered }: Expected,
  outside: Outside,
  stored: readonly DeadLetterRow[],
  counts: readonly NodeCounts[],
): string[] {
  return [
    ...[...rows].flatMap(([sink, wanted]) =>
      compared(`sink ${sink}`, outside.sink(sink).rows.map(rowText), wanted.map(rowText)),
    ),
    ...compared('dead letters', stored.map(letterText), letters),
    ...counts.flatMap(({ name, in: found, late }) => [
      ...(late === 0 ? [] : [`${name}: ${late} records are late`]),
      ...(found === delivered.get(name) ? [] : [`${name}: ${found} delivered, not ${delivered.get(name)}`]),
    ]),
  ];
}

/** What must be equal: the time of a total that is made at the end is not. */
function rowText({ key, value, timestamp }: PlainRecord | StoredRow): string {
  const { id, g, x } = value;
  const time = String(id).startsWith('end/') ? '' : ` at ${timestamp}`;
  return `${key}: ${id} ${g} ${x}${time}`;
}

function letterText({ node, input, error, origin }: DeadLetterRow): string {
  const id = /"id":"([^"]+)"/.exec(input)?.[1];
  return /poison|no progress|ended its worker/.test(error) && id !== undefined
    ? `${node} ${id}`
    : `${node} ${origin}: ${error} (${input})`;
}
