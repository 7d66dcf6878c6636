/** Every difference between what a run has left and what it must be is a line. */
import type { NodeCounts } from '../../src/host/run-options.ts';
import type { DeadLetterRow } from '../../src/ports.ts';
import { compared } from '../compared.ts';
import type { PlainRecord } from './record.ts';
import type { Outside, StoredRow } from './simulated-connectors.ts';
import { type Expected, OBSERVER } from './topology.ts';

export function differences(
  { rows, letters, delivered, observed: all }: Expected,
  outside: Outside,
  stored: readonly DeadLetterRow[],
  counts: readonly NodeCounts[],
): string[] {
  return [
    ...[...rows].flatMap(([sink, wanted]) =>
      compared(`sink ${sink}`, outside.sink(sink).rows.map(rowText), wanted.map(rowText)),
    ),
    ...compared('dead letters', stored.map(letterText), letters),
    ...counts
      .filter(({ name }) => delivered.has(name))
      .flatMap(({ name, in: found, late, redriven }) => [
        ...(late <= redriven ? [] : [`${name}: ${late} records are late`]),
        ...(found === (delivered.get(name) ?? 0) + redriven
          ? []
          : [`${name}: ${found} delivered, not ${delivered.get(name)} and ${redriven} again`]),
      ]),
    ...observed(outside, all),
  ];
}

/** Who looked on for a while has seen some, each once. */
function observed(outside: Outside, all: ReadonlySet<string>): string[] {
  const seen = outside.sink(`s_${OBSERVER}`).rows.map(({ value }) => String(value.id));
  const wrong = seen.filter((id, i) => !all.has(id) || seen.indexOf(id) !== i);
  return wrong.slice(0, 4).map((id) => `the observer saw ${id}, which is wrong or was seen before`);
}

/** What must be equal: the time of a total that is made at the end is not. */
function rowText({ key, value, timestamp }: PlainRecord | StoredRow): string {
  const { id, g, x } = value;
  const time = String(id).startsWith('end/') ? '' : ` at ${timestamp}`;
  return `${key}: ${id} ${g} ${x}${time}`;
}

function letterText({ node, input, error, origin }: DeadLetterRow): string {
  const id = /id\\?":\\?"([^"\\]+)/.exec(input)?.[1];
  return /poison|no progress|ended its worker|JSON/.test(error) && id !== undefined
    ? `${node} ${id}`
    : `${node} ${origin}: ${error} (${input})`;
}
