import { computation } from '@millrace/sdk';
import { expect, test } from 'vitest';
import type { PipelineRun, Progress, RunOptions } from './host/run-options.ts';
import type { TapBatch } from './host/tap-hub.ts';
import type { Connectors } from './ports.ts';
import { InProcessWorkers } from './testing/in-process-workers.ts';
import { MemoryConnectors } from './testing/memory-connectors.ts';
import { MemoryStore } from './testing/memory-store.ts';
import { planOf } from './testing/plans.ts';
import { runInMemory } from './testing/run-in-memory.ts';

const HOUR = 3_600_000;

const countByHour = computation<
  { in: { origin: string } },
  { out: { origin: string; hour: number; flights: number } }
>({
  processRecord(record, ctx) {
    const hour = Math.floor(record.timestamp / HOUR) * HOUR;
    const hours = ctx.map<number>('hours');
    hours.set(hour, (hours.get(hour) ?? 0) + 1);
    ctx.setTimer(String(hour), hour + HOUR, { hold: hour + HOUR - 1 });
  },
  processTimer(timer, ctx) {
    const hour = Number(timer.tag);
    const hours = ctx.map<number>('hours');
    ctx.produce('out', { origin: ctx.key, hour, flights: hours.get(hour) ?? 0 });
    hours.delete(hour);
  },
});

const sum = computation<{ in: { flights: number } }, { out: { total: number } }, number>({
  processRecord(record, ctx) {
    const total = (ctx.state.get() ?? 0) + record.value.flights;
    ctx.count('flights', record.value.flights);
    ctx.state.set(total);
    ctx.produce('out', { total });
  },
});

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector', config: { path: 'flights', slack: '2h', futureBound: 'off' } },
    { id: 'n_count', kind: 'computation' },
    { id: 'n_sum', kind: 'computation' },
    { id: 'n_out', kind: 'sink' },
    { id: 'n_total', kind: 'sink' },
  ],
  [
    { from: 'n_in', to: 'n_count', keyed: true },
    { from: 'n_count', to: 'n_sum', keyed: true },
    { from: 'n_count', to: 'n_out' },
    { from: 'n_sum', to: 'n_total' },
  ],
);

const code = {
  nodes: { n_count: countByHour, n_sum: sum },
  keyBy: { s_0: (v: { origin: string }) => v.origin, s_1: (v: { origin: string }) => v.origin[0] },
  timestamps: { n_in: (v: { at: number }) => v.at },
  values: {},
};

function flights(count: number): { origin: string; at: number }[] {
  const origins = ['LAX', 'SFO', 'JFK', 'BOS', 'ORD', 'ATL', 'DEN'];
  return Array.from({ length: count }, (_, i) => ({
    origin: origins[(i * 7919) % origins.length] as string,
    at: 1_000_000_000_000 + i * 60_000 - ((i * 31) % 90) * 60_000,
  }));
}

function expected(records: readonly { origin: string; at: number }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { origin, at } of records) {
    const id = `${origin}@${Math.floor(at / HOUR) * HOUR}`;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

function rows(connectors: MemoryConnectors): Map<string, number> {
  const result = new Map<string, number>();
  for (const { value } of connectors.sinks.get('n_out')?.rows ?? []) {
    const { origin, hour, flights: n } = value as { origin: string; hour: number; flights: number };
    const id = `${origin}@${hour}`;
    expect(result.has(id), `${id} twice`).toBe(false);
    result.set(id, n);
  }
  return result;
}

function start(
  connectors: Connectors,
  store: MemoryStore,
  workers: number,
  more: Partial<RunOptions>,
  launcher = new InProcessWorkers(code),
): PipelineRun {
  return runInMemory(plan, {
    store,
    launcher,
    connectors,
    workers,
    ...more,
  });
}

async function runOnce(
  connectors: MemoryConnectors,
  store: MemoryStore,
  workers: number,
  during?: (w: InProcessWorkers) => void,
) {
  const launcher = new InProcessWorkers(code);
  const run = start(connectors, store, workers, {}, launcher);
  during?.(launcher);
  return run.finished;
}

for (const workers of [1, 2, 3]) {
  test(`a bounded run at ${workers} workers equals a plain computation`, async () => {
    const records = flights(2000);
    const connectors = new MemoryConnectors();
    connectors.sources.set('flights', [records.map((r) => JSON.stringify(r)).join('\n')]);
    const result = await runOnce(connectors, new MemoryStore(), workers);
    expect(result).toMatchObject({ kind: 'done' });
    expect(rows(connectors)).toEqual(expected(records));
    const totals =
      connectors.sinks.get('n_total')?.rows.map((r) => (r.value as { total: number }).total) ?? [];
    expect(totals.length).toBe(expected(records).size);
    expect(result.summary.nodes.map((n) => [n.name, n.in, n.late, n.deadLettered])).toEqual([
      ['n_in', 2000, 0, 0],
      ['n_count', 2000, 0, 0],
      ['n_sum', totals.length, 0, 0],
      ['n_out', totals.length, 0, 0],
      ['n_total', totals.length, 0, 0],
    ]);
  });

  test(`Y5: a worker killed again and again loses and repeats nothing at ${workers} workers`, async () => {
    const records = flights(3000);
    const connectors = new MemoryConnectors();
    connectors.sources.set('flights', [records.map((r) => JSON.stringify(r)).join('\n')]);
    const result = await runOnce(connectors, new MemoryStore(), workers, (launcher) => {
      let kills = 0;
      const timer = setInterval(() => {
        if (++kills > 6) clearInterval(timer);
        launcher.workers[Math.floor(Math.random() * launcher.workers.length)]?.kill();
      }, 30);
    });
    expect(result).toMatchObject({ kind: 'done' });
    expect(rows(connectors)).toEqual(expected(records));
  });
}

test('a drain needs neither its sources nor a sink that is given nothing, and fires no window', async () => {
  const records = flights(500);
  const connectors = new MemoryConnectors();
  connectors.sources.set('flights', [records.map((r) => JSON.stringify(r)).join('\n')]);
  const store = new MemoryStore();
  const run = start(connectors, store, 2, {});
  await new Promise((resolve) => setTimeout(resolve, 40));
  await run.drain();
  const before = connectors.sinks.get('n_out')?.rows.length;
  const away: Connectors = {
    injector: () => ({ open: () => Promise.reject(new Error('the source is gone')) }),
    sink: () => ({ egress: 'line', open: () => Promise.reject(new Error('the sink is gone')) }),
  };
  expect(await start(away, store, 2, { drainOnly: true }).finished).toMatchObject({ kind: 'drained' });
  expect(await start(connectors, store, 2, {}).finished).toMatchObject({ kind: 'done' });
  expect(rows(connectors)).toEqual(expected(records));
  expect(connectors.sinks.get('n_out')?.rows.length).toBeGreaterThanOrEqual(before ?? 0);
});

test('what is shown of a run: its sources by kind, and for a sink what its senders have promised', async () => {
  const connectors = new MemoryConnectors();
  connectors.sources.set('flights', [
    flights(500)
      .map((r) => JSON.stringify(r))
      .join('\n'),
  ]);
  let last: Progress | undefined;
  const onProgress = (progress: Progress) => {
    last = progress;
  };
  await start(connectors, new MemoryStore(), 2, { onProgress }).finished;
  expect(last?.nodes.map(({ name, kind, watermark }) => [name, kind, watermark.kind])).toEqual([
    ['n_in', 'injector', 'ended'],
    ['n_count', 'computation', 'ended'],
    ['n_sum', 'computation', 'ended'],
    ['n_out', 'sink', 'ended'],
    ['n_total', 'sink', 'ended'],
  ]);
});

test('P9: of every stream, produced is delivered and in flight, also across workers', async () => {
  const connectors = new MemoryConnectors();
  const records = flights(1000);
  connectors.sources.set('flights', [records.map((r) => JSON.stringify(r)).join('\n')]);
  let last: Progress | undefined;
  const onProgress = (progress: Progress) => {
    last = progress;
  };
  const store = new MemoryStore();
  const result = await start(connectors, store, 3, { onProgress }).finished;
  const windows = expected(records).size;
  expect(last?.streams.map(({ produced, delivered, inFlight }) => [produced, delivered, inFlight])).toEqual(
    [1000, windows, windows, windows].map((count) => [count, count, 0]),
  );
  expect(last?.nodes.map((node) => node.busy === undefined)).toEqual([false, false, false, true, true]);
  expect(last?.commits.p50Ms).toBeGreaterThanOrEqual(0);
  expect(last?.position).toBe(store.log.length === 0 ? last?.position : await store.lastPosition());
  expect(result.summary.nodes[2]?.counts).toEqual({ flights: 1000 });
});

test('P8: what a call counted that throws leaves no trace, and what counts survives a restart', async () => {
  const fussy = computation<{ in: { n: number } }, Record<string, never>>({
    processRecord(record, ctx) {
      ctx.count('seen');
      if (record.value.n % 2 === 1) throw new Error('odd');
    },
  });
  const small = planOf(
    [
      { id: 'n_in', kind: 'injector', config: { path: 'numbers', slack: '0s', futureBound: 'off' } },
      { id: 'n_fussy', kind: 'computation' },
    ],
    [{ from: 'n_in', to: 'n_fussy' }],
  );
  const nodes = { nodes: { n_fussy: fussy }, keyBy: {}, timestamps: { n_in: () => 1 }, values: {} };
  const connectors = new MemoryConnectors();
  const store = new MemoryStore();
  const version = { number: 1, plan: small, bundle: '' };
  const lines = ['{"n":0}', '{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}'];
  connectors.sources.set('numbers', [lines.join('\n')]);
  const run = () => start(connectors, store, 1, { version }, new InProcessWorkers(nodes)).finished;
  expect((await run()).summary.nodes[1]).toMatchObject({ counts: { seen: 3 }, deadLettered: 2 });
  expect((await run()).summary.nodes[1]).toMatchObject({ counts: { seen: 3 }, countsCut: 0 });
  connectors.sources.set('numbers', [lines.join('\n'), lines.join('\n')]);
  expect((await run()).summary.nodes[1]).toMatchObject({ counts: { seen: 6 } });
});

test('TP1: a tap shows committed records of a stream and changes nothing of what comes out', async () => {
  const records = flights(2000);
  const connectors = new MemoryConnectors();
  connectors.sources.set('flights', [records.map((r) => JSON.stringify(r)).join('\n')]);
  const shown: TapBatch[] = [];
  const limits = { recordsPerSecond: 50, charsPerSecond: 100_000 };
  const run = start(connectors, new MemoryStore(), 2, { samples: { ...limits, recordsPerSecond: 5 } });
  expect(run.tap(['s_0'], limits, () => undefined)).toBeUndefined();
  await expect.poll(() => run.progress() !== undefined).toBe(true);
  const tap = run.tap(['s_0', 's_1', 's_unknown'], limits, (batch) => shown.push(batch));
  expect(run.tap(['s_unknown'], limits, () => undefined)).toBeUndefined();
  expect(await run.finished).toMatchObject({ kind: 'done' });
  tap?.close();
  expect(rows(connectors)).toEqual(expected(records));
  const texts = new Set(records.map((r) => JSON.stringify(r)));
  const taken = shown.filter(({ stream }) => stream === 0);
  expect(taken.flatMap((batch) => batch.records).every(({ text }) => texts.has(text))).toBe(true);
  expect(taken.flatMap((batch) => batch.records).length).toBeGreaterThan(0);
  expect(taken.reduce((sum, { seen }) => sum + seen, 0)).toBeLessThanOrEqual(2000);
});

test('paused it reads nothing and finishes what is in flight; resumed it goes on exactly', async () => {
  const records = flights(2000);
  const connectors = new MemoryConnectors();
  connectors.sources.set('flights', [records.map((r) => JSON.stringify(r)).join('\n')]);
  let last: Progress | undefined;
  const onProgress = (progress: Progress) => {
    last = progress;
  };
  const run = start(connectors, new MemoryStore(), 2, { onProgress, progressEveryMs: 10, paused: true });
  await expect.poll(() => last?.nodes[0]?.out).toBe(0);
  const read = () => last?.nodes.find(({ name }) => name === 'n_in')?.out ?? 0;
  run.resume();
  await expect.poll(read).toBeGreaterThan(0);
  run.pause();
  await expect.poll(() => last?.nodes.every(({ backlog }) => backlog === 0)).toBe(true);
  run.resume();
  expect(await run.finished).toMatchObject({ kind: 'done' });
  expect(rows(connectors)).toEqual(expected(records));
});

test('a paused run can be drained: nothing more is read', async () => {
  const connectors = new MemoryConnectors();
  connectors.sources.set('flights', [
    flights(500)
      .map((r) => JSON.stringify(r))
      .join('\n'),
  ]);
  const run = start(connectors, new MemoryStore(), 1, { paused: true });
  await run.drain();
  expect(await run.finished).toMatchObject({ kind: 'drained' });
  expect(rows(connectors).size).toBe(0);
});

test('P12: what two consumers get of one production is neither changed by one of them nor by its producer (R85)', async () => {
  type Letter = { text: string; stamps: string[] };
  const refused: boolean[] = [];
  const postman = (stamp: string) =>
    computation<{ in: Letter }, { out: Letter }>({
      processRecord({ value }, ctx) {
        const open = value as Letter;
        for (const change of [() => open.stamps.push(stamp), () => Object.assign(open, { text: stamp })]) {
          try {
            change();
          } catch (error) {
            refused.push(error instanceof TypeError);
          }
        }
        // Itself, untouched: no copy, and no loop.
        ctx.produce('out', open);
      },
    });
  const sender = computation<{ in: { text: string } }, { out: Letter }>({
    processRecord({ value }, ctx) {
      const letter: Letter = { text: value.text, stamps: ['sent'] };
      ctx.produce('out', letter);
      letter.stamps.push('too late');
    },
  });
  const split = planOf(
    [
      { id: 'n_in', kind: 'injector', config: { path: 'letters' } },
      { id: 'n_send', kind: 'computation' },
      { id: 'n_left', kind: 'computation' },
      { id: 'n_right', kind: 'computation' },
      { id: 'n_l', kind: 'sink' },
      { id: 'n_r', kind: 'sink' },
    ],
    [
      { from: 'n_in', to: 'n_send' },
      { from: 'n_send', to: 'n_left' },
      { from: 'n_send', to: 'n_right' },
      { from: 'n_left', to: 'n_l' },
      { from: 'n_right', to: 'n_r' },
    ],
  );
  const connectors = new MemoryConnectors();
  connectors.sources.set('letters', ['{"text":"a"}\n{"text":"b"}\n']);
  const nodes = { n_send: sender, n_left: postman('left'), n_right: postman('right') };
  const launcher = new InProcessWorkers({ nodes, keyBy: {}, timestamps: {}, values: {} });
  expect((await runInMemory(split, { launcher, connectors }).finished).kind).toBe('done');
  expect(refused).toEqual(new Array(8).fill(true));
  for (const sink of ['n_l', 'n_r'])
    expect(connectors.sinks.get(sink)?.rows.map(({ value }) => value)).toEqual([
      { text: 'a', stamps: ['sent'] },
      { text: 'b', stamps: ['sent'] },
    ]);
});
