import type { DeadLetterRow } from '@millrace/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../store.ts';
import { dataFolder } from '../testing/data-folder.ts';
import { countDeadLetters, getDeadLetter, groupDeadLetters, listDeadLetters } from './browse-dead-letters.ts';

const folder = dataFolder();
let store: Store;

beforeAll(async () => {
  store = await openStore({ dataDir: folder.path }, () => undefined);
});
afterAll(async () => {
  await store.close();
  await folder.remove();
});

const letter = (id: number, more: Partial<DeadLetterRow> = {}): DeadLetterRow => ({
  id: String(id),
  node: 'n_a',
  input: `{"n":${id}}`,
  error: `cannot read ${id} of "${id}"`,
  stack: 'Error\n    at parse (nodes/parse.ts:3:7)\n    at nodes/other.ts:1:1',
  key: undefined,
  timestamp: undefined,
  origin: '',
  state: undefined,
  version: 1,
  attempts: 3,
  ...more,
});

async function recorded(id: string, letters: readonly DeadLetterRow[]) {
  const pipeline = await store.pipeline(id);
  const host = await pipeline.claimHost();
  const batch = { through: 1, writes: [], deletes: [], undelivered: [], delivered: [], deadLetters: letters };
  expect(await pipeline.fold(host, batch)).toBe('committed');
}

describe('dead letters', () => {
  it('come newest first, in pages that go on where the last one ended, and by node', async () => {
    await recorded('p_list', [letter(1), letter(2, { node: 'n_b' }), letter(3)]);
    const first = await listDeadLetters(store.database, 'p_list', { limit: 2 });
    expect(first.map(({ id }) => id)).toEqual(['3', '2']);
    const rest = await listDeadLetters(store.database, 'p_list', { limit: 2, before: first[1]?.number });
    expect(rest.map(({ id }) => id)).toEqual(['1']);
    const ofA = await listDeadLetters(store.database, 'p_list', { limit: 9, node: 'n_a' });
    expect(ofA.map(({ id }) => id)).toEqual(['3', '1']);
    expect(await listDeadLetters(store.database, 'p_none', { limit: 9 })).toEqual([]);
  });

  it('of one cause are one group, whatever value the error names', async () => {
    const elsewhere = letter(4, { stack: 'at nodes/parse.ts:9:9' });
    const weird = letter(5, { error: 'bad \0 \ud800 text\nsecond line', stack: '' });
    await recorded('p_groups', [letter(1), letter(22), letter(3, { node: 'n_b' }), elsewhere, weird]);
    const groups = await groupDeadLetters(store.database, 'p_groups');
    expect(groups.map(({ node, error, place, count }) => [node, error, place, count])).toEqual([
      ['n_a', 'bad \ufffd \ufffd text', undefined, 1],
      ['n_a', 'cannot read # of "…"', 'nodes/parse.ts:9:9', 1],
      ['n_b', 'cannot read # of "…"', 'nodes/parse.ts:3:7', 1],
      ['n_a', 'cannot read # of "…"', 'nodes/parse.ts:3:7', 2],
    ]);
    const { group } = groups[3] as { group: string };
    const same = await listDeadLetters(store.database, 'p_groups', { limit: 9, group });
    expect(same.map(({ id }) => id)).toEqual(['22', '1']);
    expect(await groupDeadLetters(store.database, 'p_groups', 'n_b')).toHaveLength(1);
    expect([...(await countDeadLetters(store.database, 'p_groups'))].sort()).toEqual([
      ['n_a', 4],
      ['n_b', 1],
    ]);
    expect(await listDeadLetters(store.database, 'p_groups', { limit: 9, group: "'; drop" })).toEqual([]);
  });

  it('keep what is needed to deliver them again apart from what is shown', async () => {
    const redrive = {
      kind: 'source',
      place: 'a\0',
      mark: '@',
      position: 3,
      form: 'text',
      text: '\ud800',
    } as const;
    await recorded('p_kept', [letter(1, { redrive }), letter(2)]);
    const shown = await listDeadLetters(store.database, 'p_kept', { limit: 9 });
    expect(shown.map(({ redrivable }) => redrivable)).toEqual([false, true]);
    expect(JSON.stringify(shown)).not.toContain('source');
    const pipeline = await store.pipeline('p_kept');
    const numbers = shown.map(({ number }) => number);
    const [kept] = await pipeline.chosenLetters({ numbers }, 9);
    expect(kept?.letter.redrive).toEqual(redrive);
  });

  it('of which many are large are read a few at a time', async () => {
    const redrive = { kind: 'record', port: 'in', bytes: 'A'.repeat(3 << 20) } as const;
    await recorded(
      'p_large',
      [1, 2, 3, 4, 5].map((n) => letter(n, { redrive })),
    );
    const pipeline = await store.pipeline('p_large');
    const numbers = (await listDeadLetters(store.database, 'p_large', { limit: 9 })).map(
      ({ number }) => number,
    );
    expect(await pipeline.chosenLetters({ numbers }, 9)).toHaveLength(3);
  });

  it('of another pipeline are not found, whatever their number', async () => {
    await recorded('p_one', [letter(1)]);
    await recorded('p_two', [letter(2)]);
    const [one] = await listDeadLetters(store.database, 'p_one', { limit: 1 });
    const number = one?.number as number;
    expect(await getDeadLetter(store.database, 'p_one', number)).toMatchObject({ id: '1', attempts: 3 });
    expect(await getDeadLetter(store.database, 'p_two', number)).toBeUndefined();
  });
});
