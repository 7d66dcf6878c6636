import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectorSpecs } from '@millrace/connectors';
import { buildVersion } from '@millrace/deployment';
import { nodeTypes, readFolder } from '@millrace/graph';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { catalogContext } from '../catalog/catalog-context.ts';
import { countCode, sampleFiles as folderFiles } from '../testing/sample-pipeline.ts';
import { type Pipeline, startTestCatalog, type TestCatalog } from '../testing/test-catalog.ts';
import { testFolder } from '../testing/test-folder.ts';
import type { Sample, Template } from './sample.ts';
import { seedSamples } from './seed-samples.ts';

const folder = testFolder();
const types = nodeTypes(connectorSpecs);
let catalog: TestCatalog;
let samples: readonly [Sample, Sample];

beforeAll(async () => {
  mkdirSync(join(folder.path, 'given'));
  writeFileSync(join(folder.path, 'given/data.json'), '[1]');
  samples = [
    await sample({ name: 'runs', id: 'p_runs', runs: true }),
    await sample({
      name: 'reads',
      id: 'p_reads',
      data: [{ path: 'data.json', file: join(folder.path, 'given/data.json') }],
    }),
  ];
  catalog = await startTestCatalog(folder.path, samples, [template()]);
});
beforeEach(async () => {
  for (const table of ['seeded_samples', 'deployments', 'catalog_entries', 'leases', 'versions', 'pipelines'])
    await catalog.store.query(`delete from millrace.${table}`);
});
afterAll(async () => {
  await catalog.close();
  await folder.remove();
});

async function sample(more: Partial<Sample>, code = countCode): Promise<Sample> {
  const files = new Map(Object.entries(folderFiles({ id: more.id, name: more.name }, code)));
  const built = await buildVersion({ folder: readFolder(files), types }, new Map());
  if ('issues' in built) throw new Error(JSON.stringify(built.issues));
  const about = { title: more.name ?? '', description: 'd', tags: ['t'], runs: false, data: [] };
  const made = { name: '', id: '', ...about, ...more, files, version: built.stored, compilerVersion: '5' };
  return { ...made, contentHash: code };
}

const template = (): Template => ({
  ...{ name: 'q5', title: 'Hot items', description: 'Most bids.', tags: ['windows'] },
  ...{ group: 'Nexmark', about: 'An auction house.' },
  files: new Map(Object.entries(folderFiles({ id: 'p_q5', name: 'Hot items' }))),
  data: [{ path: 'events.jsonl', file: join(folder.path, 'given/data.json') }],
});

const seed = (given: readonly Sample[] = samples) =>
  seedSamples(
    catalogContext({ store: catalog.store, types, samples: given, filesFolder: join(folder.path, 'files') }),
    'w_default',
  );
const listed = async () => (await catalog.ask<{ items: Pipeline[] }>('GET', '/pipelines?sort=name')).items;

describe('the samples of a workspace', () => {
  test('are there once, with version and data, and the one that runs is to run', async () => {
    await seed();
    await seed();
    expect(await listed()).toMatchObject([
      { id: 'p_reads', readOnly: true, sample: 'reads', newestVersion: 1, deployment: null },
      { id: 'p_runs', readOnly: true, newestVersion: 1, deployment: { desired: 'running', version: 1 } },
    ]);
    expect(readFileSync(join(folder.path, 'files/w_default/samples/reads/data.json'), 'utf8')).toBe('[1]');
    expect(await catalog.store.deployments.get('p_runs')).toMatchObject({ folder: 'samples/runs' });
    expect(await catalog.ask('GET', '/samples')).toMatchObject({
      items: [
        { name: 'runs', pipeline: 'p_runs' },
        { name: 'reads', pipeline: 'p_reads' },
        { name: 'q5', group: { name: 'Nexmark' } },
      ],
    });
  });

  test('S1: a deleted one stays deleted, also after a purge', async () => {
    await seed();
    await catalog.ask('DELETE', '/pipelines/p_reads', undefined, { status: 204 });
    await seed();
    await catalog.ask('POST', '/pipelines/p_reads/purge', undefined, { status: 204 });
    await seed();
    expect((await listed()).map(({ id }) => id)).toEqual(['p_runs']);
  });

  test('S1: a start that was killed before the note is taken up, without a second copy', async () => {
    await seed();
    await catalog.store.query('delete from millrace.seeded_samples');
    await catalog.store.deployments.setDesired('p_runs', { desired: 'stopped' });
    await seed();
    expect(await listed()).toMatchObject([{ id: 'p_reads' }, { deployment: { desired: 'stopped' } }]);
  });

  test('S2: a newer one gives a new version and leaves alone what runs', async () => {
    await seed();
    const newer = await sample({ name: 'runs', id: 'p_runs', runs: true }, countCode.replace('+ 1', '+ 2'));
    await seed([newer]);
    expect(await catalog.ask('GET', '/pipelines/p_runs')).toMatchObject({
      newestVersion: 2,
      deployment: { version: 1 },
    });
    const { files } = await catalog.ask<{ files: Record<string, string> }>('GET', '/pipelines/p_runs/draft');
    expect(files['nodes/count.ts']).toContain('+ 2');
  });

  test('take another id where theirs is in use', async () => {
    await catalog.store.pipeline('p_runs');
    await seed();
    const [, runs] = await listed();
    expect(runs).toMatchObject({ name: 'runs', readOnly: true });
    expect(runs?.id).toMatch(/^p_runs_[0-9a-f]{8}$/);
    const plan = await catalog.store.query(
      "select convert_from(v.plan, 'UTF8')::json ->> 'pipeline' as id from millrace.versions v join millrace.pipelines p on p.number = v.pipeline where p.id = $1",
      [runs?.id],
    );
    expect(plan).toEqual([{ id: runs?.id }]);
  });

  test('are not edited; a duplicate is, with data of its own', async () => {
    await seed();
    const draft = { files: folderFiles({ id: 'p_reads' }) };
    await catalog.ask('PUT', '/pipelines/p_reads/draft', draft, { ifMatch: 1, status: 409 });
    await catalog.ask('PATCH', '/pipelines/p_reads', { name: 'x' }, { ifMatch: 1, status: 409 });
    await catalog.ask('POST', '/pipelines/p_reads/versions', {}, { status: 409 });
    const mine = await catalog.ask('POST', '/pipelines/p_reads/duplicate', { name: 'Mine' }, { status: 201 });
    expect(mine).toMatchObject({ name: 'Mine', readOnly: false, filesFolder: `samples/reads-${mine.id}` });
    expect(existsSync(join(folder.path, 'files/w_default', String(mine.filesFolder), 'data.json'))).toBe(
      true,
    );
    await catalog.ask('PATCH', `/pipelines/${mine.id}`, { name: 'Ours' }, { ifMatch: mine.revision });
    const made = await catalog.ask('POST', '/pipelines', { sample: 'reads' }, { status: 201 });
    expect(made).toMatchObject({ name: 'reads', sample: 'reads', readOnly: false });
    await catalog.ask('POST', '/pipelines', { sample: 'none' }, { status: 422 });
  });
});

describe('templates', () => {
  test('are listed under their group, and none is in a workspace until somebody begins with it', async () => {
    await seed();
    const { items } = await catalog.ask<{ items: { name: string }[] }>('GET', '/samples');
    expect(items.map(({ name }) => name)).toEqual(['runs', 'reads', 'q5']);
    expect(items.at(-1)).toMatchObject({
      ...{ title: 'Hot items', tags: ['windows'], pipeline: null },
      group: { name: 'Nexmark', description: 'An auction house.' },
    });
    expect((await listed()).map(({ id }) => id)).not.toContain('p_q5');
  });

  test('make a pipeline that is one’s own, with the data it reads, and so does a copy of that', async () => {
    const made = await catalog.ask('POST', '/pipelines', { sample: 'q5' }, { status: 201 });
    expect(made).toMatchObject({ name: 'Hot items', sample: 'q5', readOnly: false, tags: ['windows'] });
    const copy = await catalog.ask('POST', `/pipelines/${made.id}/duplicate`, {}, { status: 201 });
    for (const { id, filesFolder } of [made, copy]) {
      expect(filesFolder).toBe(`samples/q5-${id}`);
      expect(existsSync(join(folder.path, 'files/w_default', String(filesFolder), 'events.jsonl'))).toBe(
        true,
      );
    }
  });
});
