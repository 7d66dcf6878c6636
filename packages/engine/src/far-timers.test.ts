import { decodeHostFrame, type HostFrame } from '@millrace/protocol';
import { computation } from '@millrace/sdk';
import { expect, test } from 'vitest';
import { Faults } from './faults.ts';
import { openState } from './host/state-browser.ts';
import { viewOfKey } from './host/state-view.ts';
import type { Connectors, SourceChunk, WorkerLauncher } from './ports.ts';
import { InProcessWorkers } from './testing/in-process-workers.ts';
import { MemoryConnectors } from './testing/memory-connectors.ts';
import { MemoryStore } from './testing/memory-store.ts';
import { planOf } from './testing/plans.ts';
import { runInMemory } from './testing/run-in-memory.ts';

const DAY = 86_400_000;
const KEYS = 1_500;
const IN_MEMORY = 60;

/** A session of a month; whoever comes again has its end put off. */
const session = computation<{ in: { user: string } }, { out: { user: string; seen: number } }, number>({
  processRecord(record, ctx) {
    ctx.state.set((ctx.state.get() ?? 0) + 1);
    ctx.setTimer('end', record.timestamp + 30 * DAY);
    ctx.setTimer('wall', ctx.now + 30 * DAY, { clock: 'wall' });
  },
  processTimer(timer, ctx) {
    if (timer.clock === 'wall') return;
    ctx.produce('out', { user: ctx.key, seen: ctx.state.get() ?? 0 });
    ctx.state.clear();
    ctx.clearTimer('wall', 'wall');
  },
});

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector', config: { path: 'in', slack: '0s', futureBound: 'off' } },
    { id: 'n_session', kind: 'computation' },
    { id: 'n_out', kind: 'sink' },
  ],
  [
    { from: 'n_in', to: 'n_session', keyed: true },
    { from: 'n_session', to: 'n_out' },
  ],
);
const code = {
  nodes: { n_session: session },
  keyBy: { s_0: (v: { user: string }) => v.user },
  timestamps: { n_in: (v: { at: number }) => v.at },
  values: {},
};

/** Every user comes once, every third one a second time. */
const text = `${Array.from({ length: KEYS + KEYS / 3 }, (_, i) =>
  JSON.stringify({ user: `u${i < KEYS ? i : (i - KEYS) * 3}`, at: i * 1_000 }),
).join('\n')}\n`;

/** Starts a run, with what its workers are told. */
function start(store: MemoryStore, connectors: Connectors, workers: number) {
  const heard: HostFrame[] = [];
  const inner = new InProcessWorkers(code);
  const launcher: WorkerLauncher = {
    close: () => inner.close(),
    async launch() {
      const worker = await inner.launch();
      return {
        pid: undefined,
        queuedBytes: 0,
        onFrame: (handler) => worker.onFrame(handler),
        onExit: (handler) => worker.onExit(handler),
        kill: (reason) => worker.kill(reason),
        send(frame) {
          heard.push(decodeHostFrame(frame.slice()));
          worker.send(frame);
        },
      };
    },
  };
  let taken = 0;
  const pace = { bundleRecords: 40, cacheBytes: 40_000, timersInMemory: IN_MEMORY, foldEveryMs: 20 };
  const run = runInMemory(plan, {
    store,
    launcher,
    connectors,
    workers,
    log: () => undefined,
    progressEveryMs: 20,
    onProgress: ({ nodes }) => {
      taken = nodes[1]?.in ?? 0;
    },
    faults: new Faults({ kills: [], ...pace }, {} as never),
  });
  return { run, heard, taken: () => taken };
}

/** The same connectors, but for the end of the input. */
function endless(connectors: MemoryConnectors): Connectors {
  const partitions = [{ name: 'in-0', read: endlessly }];
  return {
    sink: () => connectors.sink(),
    injector: () => ({ open: async () => ({ partitions, close: async () => undefined }) }),
  };
}

async function* endlessly(offset: number, signal: AbortSignal): AsyncIterable<SourceChunk> {
  const bytes = new TextEncoder().encode(text);
  if (offset < bytes.length) yield { kind: 'bytes', offset, bytes: bytes.slice(offset) };
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

test('T4: far timers stay in the store, are shown there, and all fire once, at any number of workers', async () => {
  const store = new MemoryStore();
  const connectors = new MemoryConnectors();
  connectors.sources.set('in', [text]);
  const first = start(store, endless(connectors), 1);
  await expect.poll(first.taken, { timeout: 20_000 }).toBe(KEYS + KEYS / 3);
  await first.run.drain();
  expect(await first.run.finished).toMatchObject({ kind: 'drained' });

  const shown = await (await openState(store)).key('n_session', 'u999');
  expect(
    shown &&
      viewOfKey(shown)
        .timers.map(({ clock, tag }) => [clock, tag])
        .sort(),
  ).toEqual([
    ['wall', 'wall'],
    ['watermark', 'end'],
  ]);

  const second = start(store, endless(connectors), 1);
  await expect.poll(second.taken, { timeout: 20_000 }).toBe(KEYS + KEYS / 3);
  const near = second.heard
    .flatMap((frame) => (frame.kind === 'restore' ? frame.entries : []))
    .filter(({ space }) => space % 4 === 1 && space > 4);
  const due = second.heard.flatMap((frame) => (frame.kind === 'fetched' ? frame.results : []));
  expect(near.length).toBeLessThan(6 * IN_MEMORY);
  expect(due.reduce((sum, { entries }) => sum + entries.length, 0)).toBeLessThan(6 * IN_MEMORY);
  second.run.abort();
  await second.run.finished;

  const last = start(store, connectors, 3);
  expect(await last.run.finished).toMatchObject({ kind: 'done' });
  const rows = connectors.sinks.get('n_out')?.rows.map(({ value }) => value) as {
    user: string;
    seen: number;
  }[];
  expect(rows.length).toBe(KEYS);
  expect(new Map(rows.map(({ user, seen }) => [user, seen]))).toEqual(
    new Map(Array.from({ length: KEYS }, (_, i) => [`u${i}`, i % 3 === 0 ? 2 : 1])),
  );
});
