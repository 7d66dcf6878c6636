/** W10 in a running pipeline: one input stands still, the other waits for it and loses nothing. */
import { computation } from '@millrace/sdk';
import { expect, test, vi } from 'vitest';
import type { Connectors, SourceChunk } from './ports.ts';
import { InProcessWorkers } from './testing/in-process-workers.ts';
import { MemoryConnectors } from './testing/memory-connectors.ts';
import { planOf } from './testing/plans.ts';
import { runInMemory } from './testing/run-in-memory.ts';

const MINUTE = 60_000;
const RECORDS = 3_000;
const CAP_MINUTES = 120;
/** What may be on its way to a worker when its source begins to wait: 16 chunks of some 25 records, and slack. */
const ON_ITS_WAY = 600;

const code = {
  nodes: {
    n_join: computation<{ in: { at: number } }, { out: number }>({
      processRecord: (record, ctx) => ctx.produce('out', record.value.at),
    }),
  },
  keyBy: {},
  timestamps: { n_fast: (v: { at: number }) => v.at, n_slow: (v: { at: number }) => v.at },
  values: {},
};

const text = (count: number) =>
  Array.from({ length: count }, (_, minute) => JSON.stringify({ at: minute * MINUTE, pad: 'x' })).join('\n');

/** The source `slow` gives its first records, the rest once it is let go. */
class HeldBack extends MemoryConnectors {
  letGo: () => void = () => undefined;
  readonly #free = new Promise<void>((resolve) => {
    this.letGo = resolve;
  });

  override injector(): ReturnType<Connectors['injector']> {
    const { open } = super.injector() as { open: (...args: never[]) => Promise<never> };
    return {
      open: async (config, context) =>
        config.path === 'slow'
          ? {
              partitions: [{ name: 'slow', read: (offset) => this.#slowly(offset) }],
              close: async () => undefined,
            }
          : open(config as never, context as never),
    };
  }

  async *#slowly(offset: number): AsyncIterable<SourceChunk> {
    const bytes = new TextEncoder().encode(`${text(RECORDS)}\n`);
    const first = new TextEncoder().encode(`${text(3)}\n`).length;
    if (offset < first) yield { kind: 'bytes', offset, bytes: bytes.slice(offset, first) };
    await this.#free;
    for (let at = Math.max(offset, first); at < bytes.length; at += 1_000)
      yield { kind: 'bytes', offset: at, bytes: bytes.slice(at, at + 1_000) };
  }
}

function start(skewCap: string, workers: number) {
  const connectors = new HeldBack();
  connectors.sources.set('fast', [text(RECORDS)]);
  const config = { futureBound: 'off', idleTimeout: 'off' };
  const plan = planOf(
    [
      { id: 'n_fast', kind: 'injector', config: { ...config, path: 'fast', skewCap } },
      { id: 'n_slow', kind: 'injector', config: { ...config, path: 'slow' } },
      { id: 'n_join', kind: 'computation' },
      { id: 'n_out', kind: 'sink' },
    ],
    [
      { from: 'n_fast', to: 'n_join' },
      { from: 'n_slow', to: 'n_join' },
      { from: 'n_join', to: 'n_out' },
    ],
  );
  const run = runInMemory(plan, {
    launcher: new InProcessWorkers(code),
    connectors,
    workers,
    log: () => undefined,
  });
  const node = (id: string) => run.progress()?.nodes.find((one) => one.node === id);
  return { run, connectors, node };
}

for (const workers of [1, 2])
  test(`W10: at ${workers} workers an injector waits for a slower one, then both are read to their end`, async () => {
    const { run, connectors, node } = start(`${CAP_MINUTES}m`, workers);
    await vi.waitFor(() => expect(node('n_fast')?.aheadMs).toBeGreaterThan(CAP_MINUTES * MINUTE), 20_000);
    const read = () => node('n_fast')?.in ?? 0;
    for (let looks = 0; looks < 10; looks++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(read()).toBeLessThan(CAP_MINUTES + ON_ITS_WAY);
    }
    expect(node('n_slow')?.aheadMs).toBeUndefined();
    connectors.letGo();
    const result = await run.finished;
    expect(result.kind).toBe('done');
    expect(result.summary.nodes.find(({ node: id }) => id === 'n_join')).toMatchObject({
      in: 2 * RECORDS,
      late: 0,
    });
    expect(connectors.sinks.get('n_out')?.rows).toHaveLength(2 * RECORDS);
  });

test('without a cap nobody waits', async () => {
  const { run, connectors, node } = start('off', 1);
  await vi.waitFor(() => expect(node('n_fast')?.in).toBe(RECORDS), 20_000);
  connectors.letGo();
  expect((await run.finished).kind).toBe('done');
});
