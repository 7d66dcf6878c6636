import { computation } from '@millrace/sdk';
import { describe, expect, it } from 'vitest';
import { runPipeline } from '../run-pipeline.ts';
import { InProcessWorkers } from '../testing/in-process-workers.ts';
import { MemoryConnectors } from '../testing/memory-connectors.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { planOf } from '../testing/plans.ts';
import { openState, type PipelineState } from './state-browser.ts';
import { viewOfKey } from './state-view.ts';

const remember = computation<{ in: { key: string; n: number } }, Record<string, never>, unknown>({
  processRecord(record, ctx) {
    const { n } = record.value;
    ctx.state.set({ n, big: 2n ** 70n });
    for (let i = 0; i < n; i++) ctx.map<number>('squares').set(i, i * i);
    ctx.setTimer('later', 4_000_000_000_000, { hold: 3_000_000_000_000 });
  },
  processTimer() {},
});

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector', config: { path: 'in', slack: '0s', futureBound: 'off' } },
    { id: 'n_keys', kind: 'computation' },
  ],
  [{ from: 'n_in', to: 'n_keys', keyed: true }],
);

/** Runs a pipeline that stores `n` map entries for each key, until it has read its input. */
async function stored(keys: readonly { key: string; n: number }[], store = new MemoryStore()) {
  const connectors = new MemoryConnectors();
  connectors.sources.set('in', [keys.map((k) => JSON.stringify(k)).join('\n')]);
  const run = runPipeline({
    store,
    launcher: new InProcessWorkers({
      nodes: { n_keys: remember },
      keyBy: { s_0: (v: { key: string }) => v.key },
      timestamps: { n_in: () => 1 },
      values: {},
    }),
    connectors,
    sinkContext: () => ({}) as never,
    connectorContext: () => ({}) as never,
    version: { number: 1, plan, bundle: '' },
    workers: 1,
    memoryMb: 256,
    log: () => undefined,
  });
  return { run, store };
}

async function allKeys(state: PipelineState, beginning: string, limit: number): Promise<string[]> {
  const keys: string[] = [];
  let after: Uint8Array | undefined;
  do {
    const page = await state.keys('n_keys', { beginning, after, limit });
    expect(page?.keys.length).toBeLessThanOrEqual(limit);
    keys.push(...(page?.keys.map(({ key }) => key) ?? []));
    after = page?.next;
  } while (after !== undefined);
  return keys;
}

const KEYS = Array.from({ length: 700 }, (_, i) => ({ key: `${i % 2 === 0 ? 'eu' : 'us'}-${i}`, n: i % 3 }));

describe('browsing state', () => {
  it('SB3: shows every key once, in pages of any size, also when a page of the store ends within a key', async () => {
    const big = [...KEYS, { key: 'huge', n: 20_000 }, { key: 'über\u0000', n: 1 }];
    const { run, store } = await stored(big);
    await run.finished;
    const state = await openState(store);
    for (const limit of [7, 500])
      expect((await allKeys(state, '', limit)).sort()).toEqual(big.map(({ key }) => key).sort());
    expect((await allKeys(state, 'eu-', 50)).length).toBe(350);
    const [first] = (await state.keys('n_keys', { beginning: 'eu-4', limit: 1 }))?.keys ?? [];
    expect(first?.changed).toBeGreaterThan(Date.now() - 60_000);
    expect((await state.key('n_keys', 'eu-4'))?.changed).toBe(first?.changed);
    expect(await allKeys(state, 'nobody', 50)).toEqual([]);
  });

  it('finds the biggest keys, and says when there was no time to look at all', async () => {
    const { run, store } = await stored([...KEYS, { key: 'huge', n: 2_000 }, { key: 'large', n: 1_000 }]);
    await run.finished;
    const state = await openState(store);
    const found = await state.biggest('n_keys', 3, 60_000);
    expect(found?.keys.slice(0, 2).map(({ key, mapEntries }) => [key, mapEntries])).toEqual([
      ['huge', 2_000],
      ['large', 1_000],
    ]);
    expect(found).toMatchObject({ lookedAt: KEYS.length + 2, complete: true });
    expect((await state.biggest('n_keys', 3, 0))?.complete).toBe(false);
    expect(await state.biggest('n_none', 3, 0)).toBeUndefined();
  });

  it('says what is stored of a key, with exact numbers', async () => {
    const { run, store } = await stored([{ key: 'a', n: 2 }]);
    await run.finished;
    const state = await openState(store);
    expect((await state.keys('n_keys', { beginning: '', limit: 5 }))?.keys).toMatchObject([
      { key: 'a', hasState: true, mapEntries: 2, waiting: 0 },
    ]);
    const raw = await state.key('n_keys', 'a');
    expect(raw && viewOfKey(raw)).toMatchObject({
      state: { version: 1, text: `{"n":2,"big":${2n ** 70n}}`, cut: false },
      maps: [
        {
          name: 'squares',
          entries: [
            { key: 0, text: '0' },
            { key: 1, text: '1' },
          ],
        },
      ],
      incomplete: false,
    });
    expect(await state.key('n_keys', 'b')).toBeUndefined();
    expect(await state.key('n_other', 'a')).toBeUndefined();
    expect(await state.keys('n_other', { beginning: '', limit: 5 })).toBeUndefined();
  });

  it('SB2: a key with more entries than an answer holds is shown in part, and that is said', async () => {
    const { run, store } = await stored([{ key: 'a', n: 2_000 }]);
    await run.finished;
    const raw = await (await openState(store)).key('n_keys', 'a');
    expect(raw?.incomplete).toBe(true);
    expect(raw?.state.length).toBe(500);
  });

  it('reads a running pipeline, what is not folded included', async () => {
    const { run } = await stored(KEYS);
    await expect.poll(() => run.progress()?.nodes[1]?.in).toBe(KEYS.length);
    const state = run.state();
    if (state !== undefined) expect((await allKeys(state, '', 100)).length).toBe(KEYS.length);
    await run.finished;
  });

  it('shows what a worker has spoiled as far as it can be read', () => {
    const key = new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0, 97, 0, 1, 0]);
    const timerKey = new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0, 97, 0, 1, 112]);
    const value = new Uint8Array([255, 255]);
    const spoiled = (at: Uint8Array) => [{ key: at, value, bytes: 2 }];
    expect(
      viewOfKey({
        position: 1,
        state: spoiled(key),
        timers: spoiled(timerKey),
        parked: spoiled(timerKey),
        holds: spoiled(key),
        incomplete: false,
      }),
    ).toEqual({
      position: 1,
      state: { bytes: 2, cut: true, version: 0 },
      maps: [],
      timers: [],
      waiting: [],
      incomplete: false,
    });
  });
});
