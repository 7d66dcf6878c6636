/** Compares what a run has left behind with what it must be; every difference is a line. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '@millrace/store';
import { compared } from '../compared.ts';
import { canonical, type Expected } from './sweep-oracle.ts';

export interface RunSummary {
  readonly nodes: readonly {
    readonly name: string;
    readonly in: number;
    readonly out: number;
    readonly late: number;
    readonly deadLettered: number;
    readonly droppedLate: number;
    readonly duplicates: number;
    readonly setAside: number;
    readonly waiting: number;
  }[];
}

export async function differences(
  place: { readonly folder: string; readonly data: string; readonly trace: string },
  expected: Expected,
  summary: RunSummary,
): Promise<string[]> {
  const database = await readDatabase(place.data);
  return [
    ...compared('file sink "lines"', await fileRows(place.folder, 'lines.out.jsonl'), expected.lines),
    ...compared('file sink "panes"', await fileRows(place.folder, 'panes.out.jsonl'), expected.panes),
    ...compared('table "appended"', database.appended, expected.appended),
    ...compared('table "totals"', database.totals, expected.totals),
    ...compared('table "strict"', database.strict, expected.strict),
    ...compared('dead letters', database.deadLetters, expected.deadLetters),
    ...summaryDifferences(expected, summary),
    ...watermarkDifferences(await readFile(place.trace, 'utf8').catch(() => '')),
  ];
}

async function fileRows(folder: string, name: string): Promise<string[]> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => '');
  if (text !== '' && !text.endsWith('\n')) return [`the file ends within a line: ${text.slice(-80)}`];
  return canonical(
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown),
  );
}

interface DatabaseRows {
  readonly appended: readonly string[];
  readonly totals: readonly string[];
  readonly strict: readonly string[];
  readonly deadLetters: readonly string[];
}

async function readDatabase(data: string): Promise<DatabaseRows> {
  const store = await openStore({ dataDir: data }, () => undefined);
  try {
    const appended = await store.query('select key, value from data.appended');
    const totals = await store.query('select key, value from data.totals');
    const strict = await store.query('select id::text, mark::text from data.strict');
    const letters = await store.query(`
      select node, detail ->> 'origin' as origin, detail ->> 'input' as input, detail ->> 'error' as error
        from millrace.dead_letters`);
    return {
      appended: canonical(appended),
      totals: canonical(totals),
      strict: canonical(strict),
      deadLetters: letters.map(letterName).sort(),
    };
  } finally {
    await store.close();
  }
}

/** As the oracle spells it: by the place in the file, or by the event's own number. */
function letterName({ node, origin, input, error }: Record<string, unknown>): string {
  if (String(origin).includes(' at offset ')) return `${node} ${origin}`;
  const expected = /rejected|thrown|text|null|\bkey\b|invalid input syntax/.test(String(error));
  const id = /"id":(\d+)/.exec(String(input))?.[1];
  return expected && id !== undefined ? `${node} ${id}` : `${node} ${origin}: ${error} (${input})`;
}

/** P9, against the oracle: with equal numbers in, out and aside nothing has disappeared and nothing is double. */
function summaryDifferences(expected: Expected, { nodes }: RunSummary): string[] {
  return nodes.flatMap((node) => {
    const wanted = expected.nodes[node.name];
    if (wanted === undefined) return [`summary: no node is named ${node.name}`];
    const zero = { late: 0, droppedLate: 0, duplicates: 0, setAside: 0, waiting: 0 };
    return Object.entries({ ...zero, ...wanted }).flatMap(([name, number]) => {
      const found = (node as unknown as Record<string, number>)[name];
      return found === number ? [] : [`summary: ${node.name}.${name} is ${found}, not ${number}`];
    });
  });
}

interface TraceLine {
  readonly position: number;
  readonly slot: number;
  readonly slots: number;
  readonly watermarks: readonly ({ readonly kind: string; readonly time?: number } | null)[];
}

/** W3: what a worker tells of a node never goes back; after a change of workers, not below the old minimum. */
export function watermarkDifferences(trace: string): string[] {
  const wrong: string[] = [];
  let slots = 0;
  let position = 0;
  let last: (number | undefined)[][] = [];
  for (const text of trace.split('\n')) {
    if (text === '') continue;
    const line = JSON.parse(text) as TraceLine;
    if (line.position <= position) wrong.push(`commit ${line.position} came after commit ${position}`);
    position = line.position;
    if (line.slots !== slots) {
      const floor = minimum(last);
      last = Array.from({ length: line.slots }, () => [...floor]);
      slots = line.slots;
    }
    const of = last[line.slot] ?? [];
    last[line.slot] = of;
    line.watermarks.forEach((watermark, node) => {
      const time = watermark?.kind === 'ended' ? Number.POSITIVE_INFINITY : watermark?.time;
      const before = of[node];
      if (
        before !== undefined &&
        before !== Number.POSITIVE_INFINITY &&
        (time === undefined || time < before)
      )
        wrong.push(
          `watermark of node ${node} on worker ${line.slot} went from ${before} to ${time} at ${position}`,
        );
      if (time !== undefined && (before === undefined || time > before)) of[node] = time;
    });
  }
  return wrong.slice(0, 5);
}

function minimum(tables: readonly (readonly (number | undefined)[])[]): (number | undefined)[] {
  const nodes = Math.max(0, ...tables.map((table) => table.length));
  return Array.from({ length: nodes }, (_, node) => {
    const times = tables.map((table) => table[node]);
    const finite = times.filter((time) => time !== undefined && Number.isFinite(time)) as number[];
    return times.includes(undefined) || finite.length === 0 ? undefined : Math.min(...finite);
  });
}
