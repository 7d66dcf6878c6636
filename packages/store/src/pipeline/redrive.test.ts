import { type DeadLetterRow, HOST_SLOT, type PipelineStore, type Redrive } from '@millrace/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listDeadLetters } from '../dead-letters/browse-dead-letters.ts';
import { discardDeadLetters } from '../dead-letters/discard-dead-letters.ts';
import { openStore, type Store } from '../store.ts';
import { dataFolder } from '../testing/data-folder.ts';

const folder = dataFolder();
let store: Store;

beforeAll(async () => {
  store = await openStore({ dataDir: folder.path }, () => undefined);
});
afterAll(async () => {
  await store.close();
  await folder.remove();
});

const letter = (id: string): DeadLetterRow => ({
  id,
  node: 'n_a',
  input: '{}',
  error: 'Error: no',
  stack: 'at nodes/a.ts:1:1',
  key: undefined,
  timestamp: undefined,
  origin: '',
  state: undefined,
  version: 1,
  attempts: 3,
  redrive: { kind: 'record', port: 'in', bytes: 'AAAA' },
});

async function recorded(pipeline: PipelineStore, ids: readonly string[], through = 1): Promise<number> {
  const host = await pipeline.claimHost();
  const deadLetters = ids.map(letter);
  const nothing = { writes: [], deletes: [], undelivered: [], delivered: [] };
  expect(await pipeline.fold(host, { through, ...nothing, deadLetters })).toBe('committed');
  return host;
}

const redriveOf = (sequencer: number, numbers: readonly number[], bundleNumber = 1): Redrive => ({
  bundle: {
    position: 10 + bundleNumber,
    slot: HOST_SLOT,
    sequencer,
    bundleNumber,
    body: new Uint8Array([7]),
  },
  numbers,
});

const everything = async (pipeline: PipelineStore) => {
  const upTo = await pipeline.newestLetter();
  const [first] = await listDeadLetters(store.database, 'p_group', { limit: 1 });
  return pipeline.chosenLetters({ group: first?.group ?? '', above: 0, upTo }, 100);
};

async function logOf(pipeline: PipelineStore): Promise<number[]> {
  const positions: number[] = [];
  for await (const bundles of pipeline.bundlesAfter(0))
    positions.push(...bundles.map(({ position }) => position));
  return positions;
}

describe('redriving', () => {
  test('RV1: the letters go with the bundle of their deliveries, and are found in the order of recording', async () => {
    const pipeline = await store.pipeline('p_group');
    const host = await recorded(pipeline, ['a', 'b', 'c']);
    const letters = await everything(pipeline);
    expect(letters.map(({ letter: { id } }) => id)).toEqual(['a', 'b', 'c']);
    expect(letters[0]?.letter.redrive).toEqual({ kind: 'record', port: 'in', bytes: 'AAAA' });
    const numbers = letters.slice(0, 2).map(({ number }) => number);
    expect(await pipeline.redrive(redriveOf(host, numbers))).toBe('committed');
    expect(await logOf(pipeline)).toEqual([11]);
    expect((await pipeline.deadLetters(9)).map(({ id }) => id)).toEqual(['c']);
    // The same input fails again: a letter again, which says how often it was tried.
    await recorded(pipeline, ['a'], 2);
    const [again] = await listDeadLetters(store.database, 'p_group', { limit: 1 });
    expect(again).toMatchObject({ id: 'a', redriven: 1 });
  });

  test('RV1: when a letter is gone nothing is done', async () => {
    const pipeline = await store.pipeline('p_stale');
    const host = await recorded(pipeline, ['a']);
    const number = await pipeline.newestLetter();
    expect(await pipeline.redrive(redriveOf(host, [number, number + 1]))).toBe('stale');
    expect(await logOf(pipeline)).toEqual([]);
    expect((await pipeline.deadLetters(9)).length).toBe(1);
  });

  test('negative control of RV1: with the letters in a transaction of their own the deliveries are there without them', async () => {
    const place = await store.address();
    if (!('socketFolder' in place)) throw new Error('an embedded server was expected');
    const unguarded = await openStore(place, () => undefined, { splitRedrive: true });
    const pipeline = await unguarded.pipeline('p_split');
    const host = await recorded(pipeline, ['a']);
    const number = await pipeline.newestLetter();
    expect(await pipeline.redrive(redriveOf(host, [number, number + 1]))).toBe('stale');
    expect(await logOf(pipeline)).toEqual([11]);
    await unguarded.close();
  });

  test('P6: a host that was followed by another redrives nothing', async () => {
    const pipeline = await store.pipeline('p_fenced');
    const host = await recorded(pipeline, ['a']);
    await pipeline.claimHost();
    const number = await pipeline.newestLetter();
    expect(await pipeline.redrive(redriveOf(host, [number]))).toBe('fenced');
    expect((await pipeline.deadLetters(9)).length).toBe(1);
  });

  test('discarded letters of a group are gone, newer ones and those of other pipelines stay', async () => {
    const pipeline = await store.pipeline('p_discard');
    const other = await store.pipeline('p_kept');
    await recorded(pipeline, ['a', 'b']);
    await recorded(other, ['a']);
    const [newest] = await listDeadLetters(store.database, 'p_discard', { limit: 1 });
    await recorded(pipeline, ['c'], 2);
    const group = newest?.group as string;
    const what = { group, upTo: newest?.number as number };
    expect(await discardDeadLetters(store.database, 'p_discard', what)).toBe(2);
    expect((await pipeline.deadLetters(9)).map(({ id }) => id)).toEqual(['c']);
    expect((await other.deadLetters(9)).length).toBe(1);
    const numbers = [await other.newestLetter()];
    expect(await discardDeadLetters(store.database, 'p_discard', { numbers })).toBe(0);
  });
});
