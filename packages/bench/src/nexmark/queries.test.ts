/** Every query of Nexmark on the test kit: what it gives is what a batch computation of its definition gives. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkFolder } from '@millrace/compiler';
import { connectorSpecs } from '@millrace/connectors';
import { nodeTypes, readFolder } from '@millrace/graph';
import { beforeAll, describe, expect, it } from 'vitest';
import { hottest, nexmarkAnswers, type Row, sessions } from './answers.ts';
import { type Bid, type NexmarkEvent, nexmarkEvents } from './events.ts';
import { finalRows, type SinkRecord, sortedRows } from './final-rows.ts';
import { loadPipeline, type PlayedPipeline, playPipeline } from './play-pipeline.ts';
import { joinedQueries, QUERIES } from './queries.ts';

const shared = fileURLToPath(new URL('../../../../../shared/yardsticks/nexmark/', import.meta.url));
const samples = fileURLToPath(new URL('../../../../samples/', import.meta.url));
const there = existsSync(shared);
if (!there)
  console.warn(
    'SKIPPED: shared/yardsticks/nexmark is not beside this checkout; its results are not compared with here.',
  );

const COUNT = 5_000;
const answered = QUERIES.filter((query) => query !== 'q12');

/** Those that others have computed, too. */
const known = ['q1', 'q2', 'q3', 'q4', 'q5', 'q6', 'q7', 'q8', 'q9', 'q11', 'q13'];

let pipelines: { readonly all: PlayedPipeline; readonly known: PlayedPipeline };
beforeAll(async () => {
  const load = (queries: readonly string[]) =>
    loadPipeline(readFolder(new Map(joinedQueries(samples, queries))));
  pipelines = { all: await load(QUERIES), known: await load(known) };
});

function played(
  pipeline: PlayedPipeline,
  events: readonly NexmarkEvent[],
  slackMs = 0,
): (query: string) => readonly SinkRecord[] {
  const sinks = playPipeline(
    pipeline,
    events.map((value) => ({ value, timestamp: value.ts })),
    slackMs,
  );
  return (query) => sinks.get(`n_${query}result`) ?? [];
}

/** How far behind the newest event before it one is at most. */
function disorder(events: readonly NexmarkEvent[]): number {
  let newest = Number.NEGATIVE_INFINITY;
  return events.reduce((most, { ts }) => {
    newest = Math.max(newest, ts);
    return Math.max(most, newest - ts);
  }, 0);
}

it('the pipelines have no issues', async () => {
  const folder = readFolder(new Map(joinedQueries(samples, QUERIES)));
  expect(await checkFolder(folder, nodeTypes(connectorSpecs), { inProcess: true })).toEqual([]);
});

describe.each([
  { rate: 100, group: 1, which: 'known' },
  { rate: 10_000, group: 1, which: 'known' },
  { rate: 100, group: 500, which: 'all' },
] as const)('events at $rate a second, shuffled in groups of $group', ({ rate, group, which }) => {
  const events = [...nexmarkEvents({ count: COUNT, rate, group, channels: true })];
  const answers = nexmarkAnswers(events);
  let rowsOf: (query: string) => readonly SinkRecord[];
  beforeAll(() => {
    rowsOf = played(pipelines[which], events, disorder(events));
  });

  it('every query gives what its definition says', () => {
    for (const query of which === 'all' ? answered : known) {
      const rows = answers.get(query) ?? [];
      expect([query, sortedRows(finalRows(query, rowsOf(query)))]).toEqual([query, sortedRows(rows)]);
      expect([query, rows.length > 0]).toEqual([query, true]);
    }
    expect([...answers.keys()]).toEqual(answered);
  });

  it.runIf(which === 'all')('q12 counts each bid once', () => {
    const counted = rowsOf('q12').reduce((sum, { value }) => sum + (value as { bids: number }).bids, 0);
    expect(counted).toBe(events.filter(({ type }) => type === 'bid').length);
  });

  it.skipIf(!there)('and what others found', () => {
    const folder = join(shared, `expected_n${COUNT}_ooo1_rate${rate}`);
    const summary = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
    for (const query of known.filter((each) => each !== 'q1' && each !== 'q13')) {
      const rows = finalRows(query, rowsOf(query));
      expect([query, sortedRows(rows)]).toEqual([query, sortedRows(linesOf(join(folder, `${query}.jsonl`)))]);
      expect([query, rows.length]).toEqual([query, summary[query]]);
    }
    for (const query of ['q1', 'q13']) {
      const rows = finalRows(query, rowsOf(query));
      const prices = rows.reduce((sum, row) => sum + Number(row[2]), 0);
      expect({ rows: rows.length, sum_price: prices }).toEqual(summary[query]);
    }
  });
});

describe.skipIf(!there)('the small set of others', () => {
  const small = there ? linesOf<NexmarkEvent>(join(shared, 'small/events.jsonl')) : [];
  const bids = small.filter((event): event is Bid => event.type === 'bid');
  const wanted = (name: string): Row[] =>
    linesOf<Readonly<Record<string, unknown>>>(join(shared, `small/${name}.jsonl`)).map((row) =>
      Object.values(row),
    );

  it('queries that are the same in SQL', () => {
    const rowsOf = played(pipelines.all, small, disorder(small));
    const found = (query: string): Row[] => finalRows(query, rowsOf(query));
    expect(sortedRows(found('q0'))).toEqual(sortedRows(wanted('q0')));
    expect(sortedRows(found('q2'))).toEqual(sortedRows(wanted('q2_flink_mod123')));
    expect(sortedRows(found('q3'))).toEqual(sortedRows(wanted('q3')));
    expect(sortedRows(found('q7').map((row) => row.slice(1)))).toEqual(sortedRows(wanted('q7')));
    expect(sortedRows(found('q11'))).toEqual(sortedRows(wanted('q11_gap10s')));
    // SQL asks for the person once a window, ours for each of its auctions.
    const people = new Set(found('q8').map(([id, name]) => JSON.stringify([id, name])));
    expect([...people].sort()).toEqual(sortedRows(wanted('q8').map((row) => row.slice(0, 2))));
  });

  it('and the definitions themselves with other windows', () => {
    const hot = hottest(bids, 10_000, 2_000).map(([end, ...rest]) => [Number(end) - 10_000, ...rest]);
    expect(sortedRows(hot)).toEqual(sortedRows(wanted('q5')));
    expect(sortedRows(sessions(bids, 2_000))).toEqual(sortedRows(wanted('q11_gap2s')));
  });
});

function linesOf<T = Row>(path: string): T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => JSON.parse(line) as T);
}
