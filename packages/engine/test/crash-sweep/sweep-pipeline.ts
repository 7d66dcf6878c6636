/**
 * The pipeline that is swept, as a folder: two file injectors → code with state, a map, watermark timers and
 * wall timers → an async node → a node keyed another way, with timers of its own → file and Postgres sinks.
 *
 * It watches itself, too: a watermark that goes back, a late record and a timer without its state are errors
 * that it throws, and so dead letters that nobody expects.
 */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUCKET_MS, fileText, GROUPS, type SweepInput } from './sweep-input.ts';

const EVENT = `{ id: number; user: string; at: number; x: number; does: string }`;

const TALLY = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs {
  each: { id: number; n: number; does: string };
  marks: { id: number; mark: number | string };
  buckets: { bucket: number; count: number };
  walls: { timer: string; n?: number; sum?: number };
}
interface State { n: number; sum: number; watermark: number | null }

const flaked = new Set<number>();

export default computation<Inputs, Outputs, State, { maps: { buckets: number; notes: string } }>({
  processRecord(record, ctx) {
    const { id, x, does } = record.value;
    if (record.late) throw new Error('a late record');
    if (does === 'throw') throw id % 3 === 0 ? null : id % 3 === 1 ? 'text' : new RangeError('thrown');
    if (does === 'flake' && !flaked.has(id)) {
      flaked.add(id);
      ctx.setTimer('never', record.timestamp + 1);
      ctx.state.set({ n: -1, sum: -1, watermark: null });
      throw new Error('once');
    }
    const state = ctx.state.get() ?? { n: 0, sum: 0, watermark: null };
    const watermark = ctx.watermark ?? null;
    if (state.watermark !== null && (watermark === null || watermark < state.watermark))
      throw new Error('the watermark went back');
    const n = state.n + 1;
    ctx.state.set({ n, sum: state.sum + x, watermark: watermark === Infinity ? state.watermark : watermark });
    const bucket = Math.floor(record.timestamp / ${BUCKET_MS}) * ${BUCKET_MS};
    const buckets = ctx.map('buckets');
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
    ctx.setTimer(String(bucket), bucket + ${BUCKET_MS}, { hold: bucket + ${BUCKET_MS - 1} });
    // Enough bytes for pages to split and to become empty again.
    const notes = ctx.map('notes');
    if (n % 40 === 0) notes.deleteRange();
    else notes.set(id % 20, '.'.repeat(id % 400));
    if (n === 1) {
      ctx.setTimer('soon', ctx.now + 20 + (id % 7) * 40, { clock: 'wall', hold: record.timestamp });
      ctx.setTimer('end', ctx.now + 86_400_000, { clock: 'wall' });
    }
    ctx.produce('each', { id, n, does });
    ctx.produce('marks', { id, mark: does === 'reject' ? 'none' : id });
  },
  processTimer(timer, ctx) {
    if (timer.clock === 'wall') {
      const { n, sum } = ctx.state.get()!;
      ctx.produce('walls', timer.tag === 'end' ? { timer: 'end', n, sum } : { timer: timer.tag });
      return;
    }
    const bucket = Number(timer.tag);
    const count = ctx.map('buckets').get(bucket);
    if (count === undefined) throw new Error('a bucket that is gone');
    ctx.map('buckets').delete(bucket);
    ctx.produce('buckets', { bucket, count });
  },
});
`;

const DAWDLE = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { seen: { id: number; n: number; seen: number } }

// Back-off parks the record for some 50 ms; a new worker begins to count anew.
const dawdled = new Map<number, number>();

export default computation<Inputs, Outputs, { seen: number }>({
  async processRecord(record, ctx) {
    const { id, n, does } = record.value;
    if (record.late) throw new Error('a late record');
    for (let i = id % 50; i > 0; i--) await null;
    if (does === 'dawdle') {
      const tries = (dawdled.get(id) ?? 0) + 1;
      dawdled.set(id, tries);
      if (tries < 3) throw new Error('not yet');
    }
    if (does === 'reject') throw new Error('rejected');
    const seen = (ctx.state.get()?.seen ?? 0) + 1;
    ctx.state.set({ seen });
    ctx.produce('seen', { id, n, seen });
  },
});
`;

const SECOND = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { totals: { total: number }; panes: { window: number; records: number } }

export default computation<Inputs, Outputs, { total: number }, { maps: { windows: number } }>({
  processRecord(record, ctx) {
    if (record.late) throw new Error('a late record');
    const total = (ctx.state.get()?.total ?? 0) + 1;
    ctx.state.set({ total });
    const window = Math.floor(record.timestamp / ${BUCKET_MS}) * ${BUCKET_MS};
    const windows = ctx.map('windows');
    windows.set(window, (windows.get(window) ?? 0) + 1);
    ctx.setTimer(String(window), window + ${BUCKET_MS}, { hold: window + ${BUCKET_MS - 1} });
    ctx.produce('totals', { total });
  },
  processTimer(timer, ctx) {
    const window = Number(timer.tag);
    const records = ctx.map('windows').get(window);
    if (records === undefined) throw new Error('a window that is gone');
    ctx.map('windows').delete(window);
    ctx.produce('panes', { window, records });
  },
});
`;

type Productions = 'strong' | 'weak';

const code = (name: string, productions: Productions) => ({
  type: 'code',
  name,
  code: `nodes/${name}.ts`,
  exactlyOnce: true,
  productions,
});
const injector = (name: string) => ({
  type: 'injector/file',
  name,
  config: { path: `${name}.jsonl`, format: 'jsonl', type: EVENT, timestamp: 'value.at', slack: '30s' },
});

const pipelineWith = (productions: Productions) => ({
  format: 1,
  id: 'p_sweep',
  name: 'Sweep',
  nodes: {
    n_events: { ...injector('events'), productions },
    n_more: injector('more'),
    n_tally: code('tally', productions),
    n_dawdle: code('dawdle', productions),
    n_second: code('second', 'strong'),
    n_lines: { type: 'sink/file', name: 'lines', config: { path: 'lines.out.jsonl' } },
    n_panes: { type: 'sink/file', name: 'panes', config: { path: 'panes.out.jsonl' } },
    n_appended: { type: 'sink/postgres', name: 'appended', config: { table: 'appended', mode: 'append' } },
    n_strict: {
      type: 'sink/postgres',
      name: 'strict',
      config: {
        table: 'strict',
        mode: 'append',
        columns: { id: { from: 'value.id', type: 'bigint' }, mark: { from: 'value.mark', type: 'bigint' } },
      },
    },
    n_totals: { type: 'sink/postgres', name: 'totals', config: { table: 'totals', mode: 'upsert' } },
  },
  streams: {
    s_events: { from: ['n_events', 'out'], to: ['n_tally', 'events'], keyBy: 'value.user' },
    s_more: { from: ['n_more', 'out'], to: ['n_tally', 'more'], keyBy: 'value.user' },
    s_each: { from: ['n_tally', 'each'], to: ['n_dawdle', 'each'] },
    s_seen: { from: ['n_dawdle', 'seen'], to: ['n_second', 'seen'], keyBy: `value.id % ${GROUPS}` },
    s_buckets: {
      from: ['n_tally', 'buckets'],
      to: ['n_second', 'buckets'],
      keyBy: `(value.bucket / ${BUCKET_MS}) % ${GROUPS}`,
    },
    s_lines: { from: ['n_dawdle', 'seen'], to: ['n_lines', 'in'] },
    s_panes: { from: ['n_second', 'panes'], to: ['n_panes', 'in'] },
    s_bucket_rows: { from: ['n_tally', 'buckets'], to: ['n_appended', 'in'] },
    s_wall_rows: { from: ['n_tally', 'walls'], to: ['n_appended', 'in'] },
    s_marks: { from: ['n_tally', 'marks'], to: ['n_strict', 'in'] },
    s_totals: { from: ['n_second', 'totals'], to: ['n_totals', 'in'] },
  },
  parameters: {},
});

export async function writePipeline(
  folder: string,
  input: SweepInput,
  productions: Productions,
): Promise<void> {
  await mkdir(join(folder, 'nodes'), { recursive: true });
  const files = {
    'pipeline.json': JSON.stringify(pipelineWith(productions), undefined, 2),
    'nodes/tally.ts': TALLY,
    'nodes/dawdle.ts': DAWDLE,
    'nodes/second.ts': SECOND,
    'events.jsonl': fileText(input.files.events),
    'more.jsonl': fileText(input.files.more),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  // The database's own user must be able to enter, whoever runs the sweep.
  await chmod(folder, 0o755);
}
