import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStore, type Store } from '../store.ts';
import { dataFolder } from '../testing/data-folder.ts';
import type { NewEntry } from './entries.ts';
import type { EntryQuery } from './list-entries.ts';

const folder = dataFolder();
let store: Store;
let workspace = '';
let count = 0;

beforeAll(async () => {
  store = await openStore({ dataDir: folder.path }, () => undefined);
});
beforeEach(() => {
  workspace = `w_${++count}`;
});
afterAll(async () => {
  await store.close();
  await folder.remove();
});

const write = { by: 'a_1' };
const files = (text: string) => new Map([['pipeline.json', text]]);

function entry(more: Partial<NewEntry> = {}): NewEntry {
  return {
    id: `p_${++count}`,
    workspace,
    name: 'Flights',
    description: '',
    tags: [],
    files: files('{}'),
    hash: 'h',
    ...more,
  };
}

async function make(more: Partial<NewEntry> = {}): Promise<string> {
  const made = entry(more);
  expect(await store.catalog.entries.create(made, write)).toBe('created');
  return made.id;
}

const list = (more: Partial<EntryQuery> = {}) =>
  store.catalog.entries.list({ workspace, sort: 'name', descending: false, limit: 50, ...more });
const found = async (search: string) => (await list({ search })).entries.map(({ name }) => name);

const version = (text: string, draftRevision: number) => ({
  built: {
    hash: `h${text}`,
    folder: `[["pipeline.json","${text}"]]`,
    plan: '{}',
    bundle: '',
    sdkVersion: '1',
  },
  message: text,
  compilerVersion: '5',
  parent: undefined,
  draftRevision,
});

describe('entries', () => {
  test('are found in their workspace only, and an id is given once', async () => {
    const id = await make();
    expect(await store.catalog.entries.get(workspace, id)).toMatchObject({
      name: 'Flights',
      draftRevision: 1,
    });
    expect(await store.catalog.entries.get('w_other', id)).toBeUndefined();
    expect(await store.catalog.drafts.get('w_other', id)).toBeUndefined();
    expect(await store.catalog.entries.create(entry({ id, workspace: 'w_other' }), write)).toBe('id-taken');
    await store.pipeline('p_of_the_command_line');
    expect(await store.catalog.entries.create(entry({ id: 'p_of_the_command_line' }), write)).toBe(
      'id-taken',
    );
  });

  test('C2: a change of an older revision is refused and tells the newer one', async () => {
    const id = await make();
    const first = { revision: 1, name: 'Departures' };
    expect(await store.catalog.entries.change(workspace, id, first, write)).toMatchObject({
      kind: 'changed',
      entry: { name: 'Departures', revision: 2 },
    });
    expect(await store.catalog.entries.change(workspace, id, first, write)).toMatchObject({
      kind: 'conflict',
      entry: { revision: 2 },
    });
  });

  test('search finds every word in name, tags, description and code, whatever their case', async () => {
    await make({ name: 'Ärger 🚕', tags: ['Taxis'], description: 'of **Straße** 5' });
    await make({ name: 'Flights', files: files('computation("Model_9%")') });
    expect(await found('ärger taxis')).toEqual(['Ärger 🚕']);
    expect(await found('STRASSE')).toEqual([]);
    expect(await found('straße')).toEqual(['Ärger 🚕']);
    expect(await found('MODEL_9% flights')).toEqual(['Flights']);
    expect(await found('taxis flights')).toEqual([]);
  });

  test('search takes patterns, quotes and SQL as the letters they are', async () => {
    await make({ name: 'plain' });
    await make({ name: "it's 100% \\ done" });
    for (const text of ['%', '_', '\\', "'", "100% \\ it's"]) {
      expect(await found(text)).toEqual(text === '_' ? [] : ["it's 100% \\ done"]);
    }
    for (const text of ["') or true --", '{"}', '$1', "'; drop table millrace.drafts; --", '\0'.repeat(3)]) {
      expect(await found(text)).toEqual(text.startsWith('\0') ? ["it's 100% \\ done", 'plain'] : []);
    }
  });

  test('pages follow each other without gap or repetition in every order', async () => {
    const names = ['b', 'B', 'a', 'é', 'z', '🚕', 'c'];
    for (const name of names) await make({ name, tags: name < 'c' ? ['early'] : [] });
    for (const sort of ['name', 'updated', 'created'] as const) {
      for (const descending of [false, true]) {
        const seen: string[] = [];
        let after: EntryQuery['after'];
        do {
          const page = await list({ sort, descending, limit: 2, after });
          seen.push(...page.entries.map(({ id }) => id));
          after = page.next;
        } while (after !== undefined);
        expect(new Set(seen).size).toBe(names.length);
        expect(seen).toHaveLength(names.length);
      }
    }
    expect((await list({ tags: ['early'] })).entries).toHaveLength(3);
  });

  test('C4: a deleted one is not listed, not changed, keeps its draft, and comes back', async () => {
    const id = await make();
    const { entries, drafts } = store.catalog;
    await store.query(
      "insert into millrace.deployments (pipeline, workspace, version, desired) values ($1, $2, 1, 'running')",
      [id, workspace],
    );
    expect(await entries.remove(workspace, id, write)).toBe('running');
    await store.query(
      "update millrace.deployments set desired = 'stopped', observed = 'draining' where pipeline = $1",
      [id],
    );
    expect(await entries.remove(workspace, id, write)).toBe('running');
    await store.query("update millrace.deployments set observed = 'stopped' where pipeline = $1", [id]);
    expect(await entries.remove('w_other', id, write)).toBe('not-found');
    expect(await entries.remove(workspace, id, write)).toBe('removed');
    expect((await list()).entries).toEqual([]);
    expect((await list({ deleted: true })).entries).toHaveLength(1);
    expect(await entries.change(workspace, id, { revision: undefined, name: 'x' }, write)).toEqual({
      kind: 'not-found',
    });
    const change = { files: files('x'), hash: 'x', revision: 1, name: undefined };
    expect(await drafts.save(workspace, id, change, write)).toEqual({ kind: 'not-found' });
    expect(await entries.restore(workspace, id, write)).toBe('restored');
    expect((await drafts.get(workspace, id))?.files).toEqual(files('{}'));
  });

  test('C4: of a deletion and a deploy at the same moment one sees the other', async () => {
    const request = {
      ...{ workspace, version: 1, desired: 'running' as const, workers: 1, plannedFrom: undefined },
      ...{ dropState: [], folder: undefined, actor: 'a_1', message: '' },
    };
    for (let round = 0; round < 10; round++) {
      const id = await make();
      const [removed, deployed] = await Promise.all([
        store.catalog.entries.remove(workspace, id, write),
        store.deployments.deploy({ ...request, pipeline: id }),
      ]);
      expect([removed, deployed === 'changed']).toEqual(
        removed === 'removed' ? ['removed', true] : ['running', false],
      );
      if (removed === 'removed')
        expect(await store.deployments.deploy({ ...request, pipeline: id })).toBe('changed');
    }
  });

  test('what belongs to a write happens with it or not at all', async () => {
    const id = await make();
    const failing = {
      by: 'a_1',
      alongside: async () => {
        throw new Error('no audit, no change');
      },
    };
    await expect(store.catalog.entries.remove(workspace, id, failing)).rejects.toThrow('no audit');
    expect((await list()).entries).toHaveLength(1);
  });
});

describe('drafts', () => {
  const save = (id: string, text: string, revision: number | undefined, name?: string) =>
    store.catalog.drafts.save(workspace, id, { files: files(text), hash: text, revision, name }, write);

  test('C2: two people who save on one revision: the second is told', async () => {
    const id = await make();
    const outcomes = await Promise.all([save(id, 'one', 1), save(id, 'two', 1)]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['conflict', 'saved']);
    expect(await save(id, 'three', 2)).toEqual({ kind: 'saved', revision: 3 });
  });

  test('equal files are no new revision', async () => {
    const id = await make();
    expect(await save(id, 'h', 1)).toEqual({ kind: 'saved', revision: 1 });
  });

  test('C1: a name in the folder is the name in the catalog, and what was typed is searched', async () => {
    const id = await make();
    await save(id, 'needle', 1, 'Renamed');
    expect(await found('renamed needle')).toEqual(['Renamed']);
  });

  test('keep every text exactly', async () => {
    const id = await make();
    const text = 'a\0b \ud800 🚕 \u202e"\\';
    const change = { files: files(text), hash: 'other', revision: 1, name: undefined };
    await store.catalog.drafts.save(workspace, id, change, write);
    expect((await store.catalog.drafts.get(workspace, id))?.files.get('pipeline.json')).toBe(text);
  });

  test('of a read-only pipeline are not changed', async () => {
    const id = await make({ readOnly: true });
    expect(await save(id, 'x', 1)).toEqual({ kind: 'read-only' });
    expect(
      await store.catalog.entries.change(workspace, id, { revision: 1, name: 'x' }, write),
    ).toMatchObject({
      kind: 'read-only',
    });
  });
});

describe('versions', () => {
  test('C3: are numbered, tell who made them, and equal content is the same one', async () => {
    const id = await make();
    const { versions, drafts } = store.catalog;
    const saved = await versions.save(workspace, id, version('one', 1), write);
    expect(saved).toEqual({ kind: 'saved', number: 1, isNew: true });
    expect(await versions.save(workspace, id, version('two', 1), write)).toMatchObject({ number: 2 });
    expect(await versions.save(workspace, id, version('one', 9), write)).toMatchObject({
      number: 1,
      isNew: false,
    });
    expect((await drafts.get(workspace, id))?.baseVersion).toBe(2);
    const page = await versions.list(workspace, id, { before: undefined, limit: 1 });
    expect(page).toMatchObject([{ number: 2, message: 'two', author: 'a_1' }]);
    expect(await versions.get(workspace, id, 1)).toMatchObject({ files: files('one') });
    expect(await versions.get('w_other', id, 1)).toBeUndefined();
    expect(await store.catalog.entries.get(workspace, id)).toMatchObject({ newestVersion: 2 });
  });

  test('C3: Postgres itself refuses to change one', async () => {
    const id = await make();
    await store.catalog.versions.save(workspace, id, version('one', 1), write);
    await expect(store.query("update millrace.versions set message = 'other'")).rejects.toThrow(
      'never changed',
    );
  });
});

test('C4: a purge takes the log, the versions and the draft, and only of what was deleted', async () => {
  const id = await make();
  const { entries, purging, versions } = store.catalog;
  await versions.save(workspace, id, version('one', 1), write);
  const pipeline = await store.pipeline(id);
  const host = await pipeline.claimHost();
  await pipeline.versions.activate(host, 1);
  expect(await purging.purge(workspace, id, write)).toBe('not-deleted');
  await entries.remove(workspace, id, write);
  const later = new Date(Date.now() + 60_000);
  expect(await purging.expired(later)).toContainEqual({ workspace, id });
  expect(await purging.expired(new Date(0))).toEqual([]);
  expect(await purging.purge(workspace, id, write)).toBe('purged');
  expect(await purging.purge(workspace, id, write)).toBe('not-found');
  expect(await entries.idIsTaken(id)).toBe(false);
  expect(await store.query('select from millrace.pipelines where id = $1', [id])).toEqual([]);
});

test('a sample is noted once per workspace', async () => {
  const { seededSamples } = store.catalog;
  expect(await seededSamples.get(workspace, 'zeitgeist')).toBeUndefined();
  await seededSamples.note(workspace, 'zeitgeist', { pipeline: 'p_a', contentHash: 'h1' });
  await seededSamples.note(workspace, 'zeitgeist', { pipeline: 'p_a', contentHash: 'h2' });
  expect(await seededSamples.get(workspace, 'zeitgeist')).toEqual({ pipeline: 'p_a', contentHash: 'h2' });
});
