/**
 * Numbers that nobody in this project made up, read in place where they lie beside a checkout: how many records
 * fall out of their window, record by record, for pairs of window and slack, and what windows hold.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { pipelineFolder, recordsOf, sharedData } from '../support/folders.ts';
import { finished, nodeOf, run } from '../support/millrace.ts';

const demo = fileURLToPath(new URL('../../../shared/yardsticks/demo/', import.meta.url));
const there = existsSync(demo);
if (!there)
  console.warn(
    'SKIPPED: shared/yardsticks/demo is not beside this checkout; its numbers are not tested here.',
  );
const data = sharedData();

interface Row {
  readonly window_s: number;
  readonly delay_s: number;
  readonly dropped: number;
  readonly kept: number;
  readonly behind_watermark: number;
}

const jsonRows = <T>(name: string): T[] =>
  readFileSync(join(demo, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

/** All pairs in one pipeline: an injector per slack, an aggregate per pair. */
async function dropsOf(rows: readonly Row[], input: { config: object; file: string; lines?: string }) {
  const nodes: Record<string, unknown> = {};
  const streams: Record<string, unknown> = {};
  for (const delay of new Set(rows.map((row) => row.delay_s))) {
    nodes[`n_in${delay}`] = {
      type: 'injector/file',
      name: `in ${delay}`,
      config: { ...input.config, path: input.file, slack: `${delay}s` },
    };
    if (input.lines === undefined) continue;
    nodes[`n_ok${delay}`] = {
      type: 'operator/filter',
      name: `ok ${delay}`,
      config: { expression: input.lines },
    };
    streams[`s_ok${delay}`] = { from: [`n_in${delay}`, 'out'], to: [`n_ok${delay}`, 'in'] };
  }
  for (const { window_s, delay_s } of rows) {
    const id = `${window_s}x${delay_s}`;
    nodes[`n_w${id}`] = {
      type: 'operator/aggregate',
      name: `window ${id}`,
      config: { window: { type: 'tumbling', size: `${window_s}s` }, aggregates: { n: { type: 'count' } } },
    };
    nodes[`n_o${id}`] = { type: 'sink/file', name: `out ${id}`, config: { path: `out-${id}.jsonl` } };
    streams[`s_w${id}`] = {
      from: [input.lines === undefined ? `n_in${delay_s}` : `n_ok${delay_s}`, 'out'],
      to: [`n_w${id}`, 'in'],
    };
    streams[`s_o${id}`] = { from: [`n_w${id}`, 'out'], to: [`n_o${id}`, 'in'] };
  }
  const folder = await pipelineFolder({ nodes, streams });
  writeFileSync(join(folder, input.file), readFileSync(join(demo, input.file)));
  const { summary } = await finished(run(folder, ['--data', data.path]));
  return rows.map((row) => {
    const id = `${row.window_s}x${row.delay_s}`;
    const { droppedLate, late } = nodeOf(summary, `n_w${id}`);
    const panes = recordsOf(folder, `out-${id}.jsonl`);
    const kept = panes.reduce((sum, { value }) => sum + (value as { n: number }).n, 0);
    return { ...row, dropped: droppedLate, kept, behind_watermark: late };
  });
}

/** Of a line of the log; of the one that is cut off it is no time (W7). */
const LOG_TIME =
  '/" \\d{3} (\\d+|-) ".*" ".*"$/.test(value) ? Date.parse(value.replace(/.*?\\[(\\d+)\\/(\\w+)\\/(\\d+):(.+?)\\].*/s, \'$1 $2 $3 $4\')) : NaN';

it.skipIf(!there)('N4, W8: flights dropped per slack are exactly those of the yardstick', async () => {
  const rows = jsonRows<Row>('flights_late_drop.jsonl');
  const found = await dropsOf(rows, {
    file: 'flights-2k.json',
    config: {
      format: 'json',
      type: '{ date: string; delay: number }',
      timestamp: "Date.parse(value.date.replaceAll('/', '-').replace(' ', 'T') + 'Z') + value.delay * 60_000",
    },
  });
  expect(found).toEqual(rows);
});

it.skipIf(!there)(
  'N4, W8: requests dropped per window and slack are exactly those of the yardstick',
  async () => {
    const rows = jsonRows<Row>('late_drop.jsonl');
    const found = await dropsOf(rows, {
      file: 'apache_logs.gz',
      config: {
        format: 'text',
        timestamp: LOG_TIME,
      },
    });
    expect(found).toEqual(rows);
  },
);

it.skipIf(!there)(
  'N1, N7: requests, bytes and addresses per status and hour are those of the yardstick, at one worker and at three',
  async () => {
    const rows = jsonRows<Readonly<Record<string, unknown>>>('tumble1h_status.jsonl');
    const folder = await pipelineFolder({
      nodes: {
        n_in: {
          type: 'injector/file',
          name: 'lines',
          config: { path: 'apache_logs.gz', format: 'text', timestamp: LOG_TIME, slack: '59s' },
        },
        n_requests: {
          type: 'operator/map',
          name: 'requests',
          config: {
            expression:
              '{ ip: value.split(" ")[0]!, status: Number(/" (\\d{3}) /.exec(value)![1]), bytes: Number(/" \\d{3} (\\d+)/.exec(value)?.[1] ?? 0) }',
          },
        },
        n_hours: {
          type: 'operator/aggregate',
          name: 'hours',
          config: {
            window: { type: 'tumbling', size: '1h' },
            aggregates: {
              count: { type: 'count' },
              bytes: { type: 'sum', of: 'value.bytes' },
              ips: { type: 'distinct', of: 'value.ip' },
            },
          },
        },
        n_out: { type: 'sink/file', name: 'out', config: { path: 'out.jsonl', existing: 'replace' } },
      },
      streams: {
        s_1: { from: ['n_in', 'out'], to: ['n_requests', 'in'] },
        s_2: { from: ['n_requests', 'out'], to: ['n_hours', 'in'], keyBy: 'value.status' },
        s_3: { from: ['n_hours', 'out'], to: ['n_out', 'in'] },
      },
    });
    writeFileSync(join(folder, 'apache_logs.gz'), readFileSync(join(demo, 'apache_logs.gz')));
    for (const workers of ['1', '3']) {
      const { summary } = await finished(run(folder, ['--data', data.path, '--workers', workers, '--fresh']));
      const found = recordsOf(folder, 'out.jsonl').map(({ key, value, pane }) => ({
        start: new Date(pane?.start ?? 0).toISOString().replace('.000', ''),
        status: Number(key),
        ...(value as object),
      }));
      const texts = (some: readonly object[]) => some.map((row) => JSON.stringify(row)).sort();
      expect(texts(found)).toEqual(texts(rows));
      expect(summary.deadLetters).toHaveLength(1);
      expect(nodeOf(summary, 'n_hours')).toMatchObject({ droppedLate: 0, late: 0 });
    }
  },
);
