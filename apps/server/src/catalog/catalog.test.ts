import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countCode, pipelineJson, sampleFiles } from '../testing/sample-pipeline.ts';
import { accountActor, tokenActor } from '../testing/test-app.ts';
import { type Pipeline, startTestCatalog, type TestCatalog } from '../testing/test-catalog.ts';
import { testFolder } from '../testing/test-folder.ts';

const folder = testFolder();
let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await startTestCatalog(folder.path);
});
afterAll(async () => {
  await catalog.close();
  await folder.remove();
});

interface Draft {
  readonly revision: number;
  readonly hash: string;
  readonly files: Record<string, string>;
  readonly issues: readonly { code: string; file: string; line: number; severity: string; message: string }[];
}

const make = (body: object = {}) => catalog.ask('POST', '/pipelines', body, { status: 201 });
const put = (id: string, files: Record<string, string>, ifMatch: number, status = 200) =>
  catalog.ask<Draft>('PUT', `/pipelines/${id}/draft`, { files }, { ifMatch, status });
const draftOf = (id: string) => catalog.ask<Draft>('GET', `/pipelines/${id}/draft`);

async function list(query: string): Promise<Pipeline[]> {
  return (await catalog.ask<{ items: Pipeline[] }>('GET', `/pipelines?${query}`)).items;
}

describe('an entry', () => {
  test('is made blank, found, renamed in catalog and draft alike, and told apart by revision', async () => {
    const made = await make({ tags: ['b', 'a', 'b'] });
    expect(made).toMatchObject({ name: 'Untitled pipeline', tags: ['a', 'b'], deployment: null });
    const change = { name: 'Departures', description: '**bold**' };
    const path = `/pipelines/${made.id}`;
    const changed = await catalog.ask('PATCH', path, change, { ifMatch: made.revision });
    expect(changed).toMatchObject(change);
    expect(JSON.parse((await draftOf(made.id)).files['pipeline.json']!)).toMatchObject({
      id: made.id,
      name: 'Departures',
    });
    await catalog.ask('PATCH', path, change, { ifMatch: made.revision, status: 412 });
    await catalog.ask('PATCH', path, change, { status: 428 });
    await catalog.ask('PATCH', path, { id: 'p_other' }, { ifMatch: changed.revision, status: 400 });
  });

  test('takes every name people write, as it is, and refuses what is none', async () => {
    const names = ['🚕 taxis', 'تأخير الرحلات', `it's "quoted" \\ <b>&amp;`, '\u202egnirts', 'a'.repeat(200)];
    for (const name of names) {
      const { id } = await make({ name });
      expect(await catalog.ask('GET', `/pipelines/${id}`)).toMatchObject({ name });
      expect(await list(`q=${encodeURIComponent(name)}`)).toMatchObject([{ id }]);
      const headers = (await catalog.call('GET', `/api/v1/pipelines/${id}/export`)).headers;
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z0-9_-]+\.zip"$/);
    }
    for (const name of ['', '   ', 'a'.repeat(2000), 'a\nb', 'a\0b', '\ud800']) {
      await catalog.ask('POST', '/pipelines', { name }, { status: 400 });
    }
  });

  test('is made from a folder, whose id and name it keeps where nobody has them', async () => {
    const made = await make({ files: sampleFiles({ id: 'p_from_a_folder' }) });
    expect(made).toMatchObject({ id: 'p_from_a_folder', name: 'Counting' });
    const again = { files: sampleFiles({ id: 'p_from_a_folder' }) };
    await catalog.ask('POST', '/pipelines', again, { status: 409 });
    expect((await make({ files: sampleFiles() })).id).not.toBe('p_from_a_folder');
    await catalog.ask('POST', '/pipelines', { files: { '../x.ts': '' } }, { status: 422 });
  });

  test('search takes SQL and patterns as the letters they are; a forged cursor is refused', async () => {
    await make({ name: 'needle 100%' });
    for (const text of ["') or true --", '%', "'", '\\', '$1', '!_']) {
      const found = await list(`q=${encodeURIComponent(`needle ${text}`)}`);
      expect(found.map(({ name }) => name)).toEqual(text === '%' ? ['needle 100%'] : []);
    }
    const forged = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');
    for (const key of [
      ['updated', 'desc', 'now()', 'p_1'],
      ['updated', 'desc', '9'.repeat(30), 'p_1'],
      ['name', 'asc', 'x', 'p_1'],
      ['updated', 'desc', '1', '\0'],
    ]) {
      await catalog.ask('GET', `/pipelines?cursor=${forged(key)}`, undefined, { status: 400 });
    }
    expect(await list(`cursor=${forged(['updated', 'desc', '1', "' or true"])}`)).toEqual([]);
  });

  test('pages hold every pipeline once', async () => {
    const ids = new Set<string>();
    let query = 'limit=2&sort=name';
    let pages = 0;
    for (;;) {
      const page = await catalog.ask<{ items: Pipeline[]; next: string | null }>(
        'GET',
        `/pipelines?${query}`,
      );
      for (const { id } of page.items) {
        expect(ids.has(id)).toBe(false);
        ids.add(id);
      }
      pages++;
      if (page.next === null) break;
      query = `limit=2&sort=name&cursor=${page.next}`;
    }
    expect(pages).toBeGreaterThan(2);
    expect(ids.size).toBe((await list('limit=200')).length);
  });

  test('tags are counted over what is there', async () => {
    const { id } = await make({ tags: ['only-here', 'twice'] });
    await make({ tags: ['twice'] });
    const tags = async () => (await catalog.ask<{ items: object[] }>('GET', '/pipeline-tags')).items;
    expect(await tags()).toEqual(
      expect.arrayContaining([
        { tag: 'twice', count: 2 },
        { tag: 'only-here', count: 1 },
      ]),
    );
    await catalog.ask('DELETE', `/pipelines/${id}`, undefined, { status: 204 });
    expect(await tags()).toContainEqual({ tag: 'twice', count: 1 });
    expect(await tags()).not.toContainEqual(expect.objectContaining({ tag: 'only-here' }));
  });

  test('samples are listed apart from what people made', async () => {
    const { id } = await make();
    expect((await list('readOnly=false&limit=200')).map((each) => each.id)).toContain(id);
    expect(await list('readOnly=true')).toEqual([]);
  });

  test('is deleted, restored within a month, and gone for good after a purge', async () => {
    const { id } = await make({ name: 'short-lived' });
    await catalog.ask('POST', `/pipelines/${id}/purge`, undefined, { status: 409 });
    await catalog.ask('DELETE', `/pipelines/${id}`, undefined, { status: 204 });
    await catalog.ask('DELETE', `/pipelines/${id}`, undefined, { status: 404 });
    await put(id, {}, 1, 410);
    expect(await list('q=short-lived')).toEqual([]);
    expect(await list('q=short-lived&deleted=true')).toHaveLength(1);
    await catalog.ask('POST', `/pipelines/${id}/restore`);
    expect(await list('q=short-lived')).toHaveLength(1);
    await catalog.ask('DELETE', `/pipelines/${id}`, undefined, { status: 204 });
    await catalog.ask('POST', `/pipelines/${id}/purge`, undefined, { status: 204 });
    await catalog.ask('GET', `/pipelines/${id}`, undefined, { status: 404 });
  });

  test('a pipeline that should run is not deleted', async () => {
    const { id } = await make();
    await catalog.store.query(
      "insert into millrace.deployments (pipeline, workspace, version, desired) values ($1, 'w_default', 1, 'running')",
      [id],
    );
    await catalog.ask('DELETE', `/pipelines/${id}`, undefined, { status: 409 });
    expect(await catalog.ask('GET', `/pipelines/${id}`)).toMatchObject({
      deployment: { desired: 'running' },
    });
  });

  test('of a deploy that was stopped before it took over, what runs is told beside what should', async () => {
    const { id } = await make();
    await catalog.store.query(
      `insert into millrace.deployments (pipeline, workspace, version, desired, observed, observed_version)
       values ($1, 'w_default', 2, 'stopped', 'stopped', 1)`,
      [id],
    );
    expect(await catalog.ask('GET', `/pipelines/${id}`)).toMatchObject({
      deployment: { version: 2, running: 1 },
    });
  });

  test('every write is in the audit log, with who made it', async () => {
    const { id } = await make({ name: 'audited' });
    await put(id, sampleFiles(), 1);
    await catalog.ask('DELETE', `/pipelines/${id}`, undefined, { status: 204 });
    const events = await catalog.store.query(
      'select action, actor from millrace.audit_events where target = $1 order by number',
      [id],
    );
    const actor = 'a_owner';
    expect(events).toEqual([
      { action: 'pipeline.created', actor },
      { action: 'draft.saved', actor },
      { action: 'pipeline.deleted', actor },
    ]);
  });

  test('of another workspace is not there, whatever one asks of it', async () => {
    const { id } = await make({ name: 'ours' });
    catalog.act({ ...accountActor('owner'), workspace: 'w_other' });
    try {
      await catalog.ask('GET', `/pipelines/${id}`, undefined, { status: 404 });
      await put(id, sampleFiles(), 1, 404);
      for (const [method, path] of [
        ['GET', '/draft'],
        ['GET', '/picture'],
        ['GET', '/versions'],
        ['GET', '/export'],
        ['GET', '/diff'],
        ['POST', '/duplicate'],
        ['POST', '/versions'],
        ['POST', '/draft/check'],
        ['DELETE', ''],
      ] as const)
        await catalog.ask(method, `/pipelines/${id}${path}`, undefined, { status: 404 });
      expect(await list('q=ours')).toEqual([]);
    } finally {
      catalog.act(accountActor('owner'));
    }
  });

  test('a token of one pipeline reaches no other', async () => {
    const [one, two] = [await make(), await make()];
    catalog.act(tokenActor(['graph.read', 'graph.write'], one.id));
    try {
      await draftOf(one.id);
      await catalog.ask('GET', `/pipelines/${two.id}/draft`, undefined, { status: 403 });
      await catalog.ask('GET', '/pipelines', undefined, { status: 403 });
      await catalog.ask('POST', '/pipelines', {}, { status: 403 });
    } finally {
      catalog.act(accountActor('owner'));
    }
  });
});

describe('a draft', () => {
  test('G3: is saved with all its issues, each with its place', async () => {
    const { id } = await make();
    const nodes = { ...pipelineJson().nodes, n_lost: { type: 'sink/file', name: 'lost' } };
    const { issues, revision } = await put(id, sampleFiles({ nodes }), 1);
    expect(revision).toBe(2);
    expect(issues.length).toBeGreaterThan(0);
    for (const issue of issues)
      expect(issue).toMatchObject({ file: 'pipeline.json', line: expect.any(Number) });
    expect((await draftOf(id)).issues).toEqual(issues);
    expect(await catalog.ask('GET', `/pipelines/${id}`)).toMatchObject({ name: 'Counting' });
  });

  test('that cannot be read is kept as it was typed', async () => {
    const { id, name } = await make({ name: 'broken' });
    const text = '{ "format": 1, "nodes": { ';
    const { issues } = await put(id, { 'pipeline.json': text }, 1);
    expect(issues[0]).toMatchObject({ severity: 'error' });
    expect((await draftOf(id)).files).toEqual({ 'pipeline.json': text });
    expect(await catalog.ask('GET', `/pipelines/${id}`)).toMatchObject({ name });
  });

  test('a field that cannot be read is not dropped silently', async () => {
    const { id } = await make();
    await put(id, sampleFiles({ surprise: 1 }), 1);
    expect((await draftOf(id)).files['pipeline.json']).toContain('surprise');
  });

  test('is saved on the revision one has seen, or not', async () => {
    const { id } = await make();
    await put(id, sampleFiles(), 1);
    await put(id, sampleFiles({ name: 'Other' }), 1, 412);
    await catalog.ask('PUT', `/pipelines/${id}/draft`, { files: sampleFiles() }, { status: 428 });
    await catalog.ask('PUT', `/pipelines/${id}/draft`, { files: {} }, { status: 412, ifMatch: 'x' });
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((name) =>
        catalog.call(
          'PUT',
          `/api/v1/pipelines/${id}/draft`,
          { files: sampleFiles({ name }) },
          {
            'if-match': '"2"',
          },
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  });

  test('takes no path that leads elsewhere', async () => {
    const { id } = await make();
    for (const path of [
      '../x.ts',
      'nodes/../../x.ts',
      '/etc/passwd',
      'C:/x.ts',
      'nodes\\x.ts',
      'data.csv',
      'nodes/a\0.ts',
    ]) {
      await put(id, { ...sampleFiles(), [path]: '' }, 1, 422);
    }
    await put(id, { ...sampleFiles(), 'nodes/Count.ts': '' }, 1, 422);
    await put(id, { ...sampleFiles(), 'lib/a.ts': '', 'lib/a.ts/b.ts': '' }, 1, 422);
  });

  test('of another pipeline is not taken for this one', async () => {
    const { id } = await make();
    const answer = await put(id, sampleFiles({ id: 'p_another' }), 1, 409);
    expect(answer).toMatchObject({ code: 'other-pipeline' });
  });

  test('of 300 nodes is saved, read and compared', async () => {
    const { id } = await make();
    const nodes = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [
        `n_${at}`,
        { type: 'operator/map', name: `map ${at}`, config: { value: 'value' } },
      ]),
    );
    const streams = Object.fromEntries(
      Array.from({ length: 299 }, (_, at) => [
        `s_${at}`,
        { from: [`n_${at}`, 'out'], to: [`n_${at + 1}`, 'in'] },
      ]),
    );
    await put(id, { 'pipeline.json': JSON.stringify(pipelineJson({ nodes, streams })) }, 1);
    const diff = await catalog.ask<{ nodes: unknown[] }>('GET', `/pipelines/${id}/diff?from=draft`);
    expect(diff).toMatchObject({ same: true });
    expect(diff.nodes).toHaveLength(300);
  });
});

describe('who edited a draft', () => {
  const editors = async (id: string, query = '') =>
    (await catalog.ask<{ items: { name: string }[] }>('GET', `/pipelines/${id}/draft/editors${query}`)).items;

  test('is told since a version was made, and is nobody who only made it', async () => {
    const { id, draftRevision } = await make();
    expect(await editors(id)).toEqual([]);
    const { revision } = await put(id, sampleFiles({ id }), draftRevision);
    expect(await editors(id)).toHaveLength(1);
    const { number } = await catalog.ask<{ number: number }>(
      'POST',
      `/pipelines/${id}/versions`,
      {},
      { status: 201 },
    );
    expect(await editors(id, `?since=${number}`)).toEqual([]);
    await put(id, { ...sampleFiles({ id }), 'lib/more.ts': 'export {};\n' }, revision);
    expect(await editors(id, `?since=${number}`)).toHaveLength(1);
    await catalog.ask('GET', `/pipelines/${id}/draft/editors?since=99`, undefined, { status: 404 });
  });
});

describe('a picture', () => {
  interface Picture {
    readonly draftRevision: number;
    readonly nodes: readonly { kind: string }[];
  }

  test('follows the draft', async () => {
    const made = await make();
    const picture = () => catalog.ask<Picture>('GET', `/pipelines/${made.id}/picture`);
    expect((await picture()).nodes).toEqual([]);
    const { revision } = await put(made.id, sampleFiles({ id: made.id }), made.draftRevision);
    const drawn = await picture();
    expect(drawn.draftRevision).toBe(revision);
    expect(drawn.nodes.map(({ kind }) => kind)).toContain('injector');
    expect(await picture()).toEqual(drawn);
  });
});

describe('a version', () => {
  test('is made of a draft without errors, compared with it, and taken back into it', async () => {
    const { id } = await make();
    await put(id, sampleFiles(), 1);
    const version = { message: 'first 🚕' };
    const made = await catalog.ask('POST', `/pipelines/${id}/versions`, version, { status: 201 });
    expect(made).toMatchObject({
      number: 1,
      message: 'first 🚕',
      author: 'a_owner',
      parent: null,
      isNew: true,
    });
    const again = await catalog.ask('POST', `/pipelines/${id}/versions`, {}, { status: 201 });
    expect(again).toMatchObject({ number: 1, isNew: false });

    await put(id, sampleFiles({}, countCode.replace('+ 1', '+ 2')), 2);
    const diff = await catalog.ask<{ nodes: unknown; files: unknown }>('GET', `/pipelines/${id}/diff`);
    expect(diff).toMatchObject({ same: false, files: [{ path: 'nodes/count.ts', kind: 'changed' }] });
    expect(diff.nodes).toContainEqual(expect.objectContaining({ id: 'n_count', changes: ['code'] }));

    await catalog.ask('POST', `/pipelines/${id}/versions/1/restore`, undefined, { ifMatch: 2, status: 412 });
    const restored = await catalog.ask('POST', `/pipelines/${id}/versions/1/restore`, undefined, {
      ifMatch: 3,
    });
    expect(restored).toMatchObject({ revision: 4, issues: [] });
    expect((await draftOf(id)).files['nodes/count.ts']).toBe(countCode);
    const { files } = await catalog.ask<Draft>('GET', `/pipelines/${id}/versions/1/files`);
    expect(files['nodes/count.ts']).toBe(countCode);
    const page = await catalog.ask<{ items: unknown[] }>('GET', `/pipelines/${id}/versions?limit=1`);
    expect(page).toMatchObject({ items: [{ number: 1 }], next: null });
    await catalog.ask('GET', `/pipelines/${id}/versions/2`, undefined, { status: 404 });
    await catalog.ask('GET', `/pipelines/${id}/versions/99999999999`, undefined, { status: 400 });
  });

  test('is refused with every error of graph and code, by file and line', async () => {
    const { id } = await make();
    const nodes = { ...pipelineJson().nodes, n_lost: { type: 'sink/file', name: 'lost' } };
    await put(id, sampleFiles({ nodes }, countCode.replace('{ n });', '{ m: n });')), 1);
    const answer = await catalog.ask<{ code: string; pipelineIssues: { file: string }[] }>(
      'POST',
      `/pipelines/${id}/versions`,
      {},
      { status: 422 },
    );
    expect(answer.code).toBe('has-issues');
    const places = answer.pipelineIssues.map(({ file }) => file);
    expect(places).toContain('pipeline.json');
    expect(places).toContain('nodes/count.ts');
    const checked = await catalog.ask<Draft>('POST', `/pipelines/${id}/draft/check`);
    expect(checked.issues).toEqual(answer.pipelineIssues);
  });
});

test('G1: a duplicate keeps the ids of its nodes under an id of its own', async () => {
  const { id } = await make();
  await put(id, sampleFiles(), 1);
  const copy = await catalog.ask('POST', `/pipelines/${id}/duplicate`, {}, { status: 201 });
  expect(copy).toMatchObject({ name: 'Counting copy', readOnly: false });
  expect(copy.id).not.toBe(id);
  const pipeline = JSON.parse((await draftOf(copy.id)).files['pipeline.json']!);
  expect(pipeline.id).toBe(copy.id);
  expect(Object.keys(pipeline.nodes)).toEqual(['n_count', 'n_in', 'n_out']);
});
