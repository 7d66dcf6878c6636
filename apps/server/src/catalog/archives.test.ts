import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeZip } from '../testing/make-zip.ts';
import { pipelineJson, sampleFiles } from '../testing/sample-pipeline.ts';
import { type Pipeline, startTestCatalog, type TestCatalog } from '../testing/test-catalog.ts';
import { testFolder } from '../testing/test-folder.ts';
import { readZip } from './zip/read-zip.ts';

const folder = testFolder();
let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await startTestCatalog(folder.path);
});
afterAll(async () => {
  await catalog.close();
  await folder.remove();
});

const zipOf = (files: Record<string, string>) =>
  makeZip(Object.entries(files).map(([name, text]) => ({ name, text })));
const count = async () =>
  (await catalog.ask<{ items: Pipeline[] }>('GET', '/pipelines?limit=200')).items.length;

interface Imported {
  readonly applied: boolean;
  readonly pipeline: string | null;
  readonly existing: string | null;
  readonly draftRevision: number;
  readonly secrets: string[];
  readonly diff: {
    readonly same: boolean;
    readonly nodes: { id: string; kind: string; changes: string[] }[];
    readonly files: { path: string; kind: string }[];
  };
}

async function importNew(files: Record<string, string>, apply: boolean): Promise<Imported> {
  const { status, body } = await catalog.upload(`/pipelines/import?apply=${apply}`, zipOf(files));
  expect([status, body]).toMatchObject([200, {}]);
  return body as Imported;
}

async function exported(id: string): Promise<{ files: ReadonlyMap<string, string>; headers: Headers }> {
  const answer = await fetch(`${catalog.url}/api/v1/pipelines/${id}/export`);
  expect(answer.status).toBe(200);
  const content = await readZip(new Uint8Array(await answer.arrayBuffer()));
  if (content.kind === 'refused') throw new Error(JSON.stringify(content.faults));
  return { files: content.files, headers: answer.headers };
}

describe('an import', () => {
  test('shows what it would make and makes nothing, then makes it', async () => {
    const before = await count();
    const shown = await importNew(sampleFiles(), false);
    expect(shown).toMatchObject({ applied: false, pipeline: null, existing: null });
    expect(shown.diff.nodes.map(({ id, kind }) => [id, kind])).toEqual([
      ['n_count', 'new'],
      ['n_in', 'new'],
      ['n_out', 'new'],
    ]);
    expect(await count()).toBe(before);
    const made = await importNew(sampleFiles(), true);
    expect(made.applied).toBe(true);
    expect(await catalog.ask('GET', `/pipelines/${made.pipeline}`)).toMatchObject({ name: 'Counting' });
  });

  test('keeps the id of the archive where it is free, and tells where it is not', async () => {
    const files = sampleFiles({ id: 'p_travels' });
    expect(await importNew(files, true)).toMatchObject({ pipeline: 'p_travels' });
    expect(await importNew(files, false)).toMatchObject({ pipeline: null, existing: 'p_travels' });
    const copy = await importNew(files, true);
    expect(copy.pipeline).not.toBe('p_travels');
    expect((await exported(copy.pipeline!)).files.get('pipeline.json')).toContain(copy.pipeline);
  });

  test('G1: onto a pipeline matches by id, names its revision, and keeps the layout', async () => {
    const { pipeline: id } = await importNew({ ...sampleFiles(), 'layout.json': '{"n_in":[1,2]}' }, true);
    const nodes = { ...pipelineJson().nodes, n_out: { type: 'sink/discard', name: 'nowhere' } };
    const zip = zipOf(sampleFiles({ id: 'p_elsewhere', nodes: { ...nodes, n_new: nodes.n_out } }));
    const path = `/pipelines/${id}/import`;
    const dry = await catalog.upload(path, zip);
    const shown = dry.body as Imported;
    expect(shown).toMatchObject({ applied: false, pipeline: id, draftRevision: 1 });
    const { files: wanted } = dry.body as { files: Record<string, string> };
    expect(JSON.parse(wanted['pipeline.json']!)).toMatchObject({ id, nodes: { n_new: {} } });
    expect(shown.diff.nodes).toContainEqual(expect.objectContaining({ id: 'n_new', kind: 'new' }));
    expect(shown.diff.nodes).toContainEqual(expect.objectContaining({ id: 'n_count', kind: 'kept' }));
    expect(shown.diff.files).toMatchObject([{ path: 'pipeline.json', kind: 'changed' }]);

    expect((await catalog.upload(`${path}?apply=true`, zip)).status).toBe(428);
    expect((await catalog.upload(`${path}?apply=true`, zip, { 'if-match': '"7"' })).status).toBe(412);
    const etag = dry.headers.get('etag')!;
    const applied = await catalog.upload(`${path}?apply=true`, zip, { 'if-match': etag });
    expect(applied.body).toMatchObject({ applied: true, draftRevision: 2 });
    const { files } = await exported(id!);
    expect(files.get('layout.json')).toContain('n_in');
    expect(JSON.parse(files.get('pipeline.json')!)).toMatchObject({ id, nodes: { n_new: {} } });
  });

  test('lists the secrets to bind, and the export carries names only', async () => {
    const config = { table: 't', url: { secret: 'warehouse-url' } };
    const nodes = { ...pipelineJson().nodes, n_out: { type: 'sink/postgres', name: 'out', config } };
    const made = await importNew(sampleFiles({ nodes }), true);
    expect(made.secrets).toEqual(['warehouse-url']);
    const { headers } = await exported(made.pipeline!);
    expect(headers.get('millrace-secrets')).toBe('warehouse-url');
  });

  test('a secret that was written into a setting leaves in no export', async () => {
    const config = { table: 't', url: 'postgres://me:hunter2@db.example.org/x' };
    const nodes = { ...pipelineJson().nodes, n_out: { type: 'sink/postgres', name: 'out', config } };
    const made = await importNew(sampleFiles({ nodes }), true);
    const answer = await catalog.call('GET', `/api/v1/pipelines/${made.pipeline}/export`);
    expect(answer).toMatchObject({ status: 422, body: { code: 'holds-secrets' } });
    expect(JSON.stringify(answer.body)).not.toContain('hunter2');
  });

  test('of what is no archive, no pipeline, too large or full of tricks changes nothing', async () => {
    const before = await count();
    const bytes = (text: string) => new TextEncoder().encode(text);
    const apply = '/pipelines/import?apply=true';
    expect((await catalog.upload(apply, bytes('no zip'))).status).toBe(422);
    expect((await catalog.upload(apply, new Uint8Array())).status).toBe(422);
    expect((await catalog.upload(apply, zipOf({ 'nodes/a.ts': '' }))).body).toMatchObject({
      code: 'bad-folder',
    });
    expect((await catalog.upload(apply, zipOf({ 'pipeline.json': '{"format":9}' }))).status).toBe(422);
    expect((await catalog.upload(apply, zipOf({ ...sampleFiles(), '../x.ts': '' }))).status).toBe(422);
    const json = { 'content-type': 'application/json' };
    expect((await catalog.upload(apply, zipOf(sampleFiles()), json)).status).toBe(415);
    const large = new Uint8Array((8 << 20) + 1);
    expect((await catalog.upload(apply, large)).status).toBe(413);
    expect(await count()).toBe(before);
  });
});

test('an export imported again and exported again is the same bytes', async () => {
  const { pipeline: id } = await importNew(sampleFiles({ id: 'p_roundtrip' }), true);
  const first = await (await fetch(`${catalog.url}/api/v1/pipelines/${id}/export`)).arrayBuffer();
  const path = `/pipelines/${id}/import?apply=true`;
  const again = await catalog.upload(path, new Uint8Array(first), { 'if-match': '"1"' });
  expect(again.body).toMatchObject({ diff: { same: true, files: [] }, draftRevision: 1 });
  const second = await (await fetch(`${catalog.url}/api/v1/pipelines/${id}/export`)).arrayBuffer();
  expect(new Uint8Array(second)).toEqual(new Uint8Array(first));
});
