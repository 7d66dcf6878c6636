/** Drafts edited over real sockets and kept in a real database. */
import { connectorSpecs } from '@millrace/connectors';
import { EMPTY_HISTORY } from '@millrace/document';
import { nodeTypes } from '@millrace/graph';
import { documentStore } from '@millrace/store';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { catalogFeature } from '../catalog/catalog-feature.ts';
import { ask, openPage, vectorOf } from '../testing/document-page.ts';
import { sampleFiles } from '../testing/sample-pipeline.ts';
import { accountActor, silent, startTestApp, type TestApp } from '../testing/test-app.ts';
import { type Pipeline, startTestCatalog, type TestCatalog } from '../testing/test-catalog.ts';
import { testFolder } from '../testing/test-folder.ts';
import { startTestSockets } from '../testing/test-sockets.ts';
import { catalogWithDocuments } from './catalog-with-documents.ts';
import { DocumentHub } from './document-hub.ts';
import { editAudit } from './edit-audit.ts';

const folder = testFolder();
let base: TestCatalog;
let app: TestApp;
let hub: DocumentHub;
let rig: Awaited<ReturnType<typeof startTestSockets>>;

const newHub = () =>
  new DocumentHub({
    documents: documentStore(base.store.database),
    drafts: base.store.catalog.drafts,
    types: nodeTypes(connectorSpecs),
    log: silent,
  });

beforeAll(async () => {
  base = await startTestCatalog(folder.path);
  hub = newHub();
  const catalog = catalogWithDocuments(base.store.catalog, hub);
  const store = { catalog, deployments: base.store.deployments };
  app = await startTestApp([catalogFeature({ ...base.context, store })]);
  app.act(accountActor('editor'));
  rig = await startTestSockets({
    drafts: { hub, entries: base.store.catalog.entries },
    edited: editAudit({ database: base.store.database, log: silent }),
  });
});
afterEach(() => {
  rig.who.actor = accountActor('editor');
});
afterAll(async () => {
  await rig.close();
  await hub.close();
  await app.close();
  await base.close();
  await folder.remove();
});

const connect = async (role: 'viewer' | 'editor' | 'owner' = 'editor', name: string = role) => {
  rig.who.actor = accountActor(role, name);
  return rig.connected();
};

async function newPipeline(): Promise<string> {
  const made = await app.call('POST', '/api/v1/pipelines', { name: 'Counting', files: sampleFiles() });
  return (made.body as Pipeline).id;
}

interface Draft {
  readonly revision: number;
  readonly files: Record<string, string>;
}
const draftOf = async (id: string) => (await app.call('GET', `/api/v1/pipelines/${id}/draft`)).body as Draft;

const rename = (name: string) => ({ kind: 'rename-node', node: 'n_count', name }) as const;
const nameOf = (page: Awaited<ReturnType<typeof openPage>>) =>
  page.document.read().pipeline.nodes.get('n_count')?.name;

describe('a draft several people edit', () => {
  it('is seeded from its folder, and what one edits the other sees and the folder says', async () => {
    const id = await newPipeline();
    const one = await openPage(await connect('editor', 'ann'), id);
    const two = await openPage(await connect('editor', 'ben'), id);
    expect(one.document.read().pipeline.nodes.size).toBe(3);
    expect(await one.send(rename('tally'))).toEqual({ ok: true });
    await expect.poll(() => nameOf(two)).toBe('tally');
    expect((await draftOf(id)).files['pipeline.json']).toContain('tally');
  });

  it('comes back after the server was started again, with edits no folder had yet', async () => {
    const id = await newPipeline();
    const page = await openPage(await connect(), id);
    await page.send(rename('kept'));
    const next = newHub();
    await next.start();
    const draft = await base.store.catalog.drafts.get('w_default', id);
    expect(draft?.files.get('pipeline.json')).toContain('kept');
    await next.close();
  });

  it('takes a folder that is put as edits: who has it open sees it, and typing elsewhere stays', async () => {
    const id = await newPipeline();
    const page = await openPage(await connect(), id);
    const code = { kind: 'edit-code', code: 'n_count', splices: [{ at: 0, remove: 0, insert: '// mine\n' }] };
    await page.send(code as Parameters<typeof page.send>[0]);
    const { files, revision } = await draftOf(id);
    files['pipeline.json'] = files['pipeline.json']!.replace('"count"', '"put"');
    const put = await app.call(
      'PUT',
      `/api/v1/pipelines/${id}/draft`,
      { files },
      { 'if-match': `"${revision}"` },
    );
    expect(put.status).toBe(200);
    await expect.poll(() => nameOf(page)).toBe('put');
    expect(page.document.code('n_count')?.toString()).toMatch(/^\/\/ mine\n/);
    expect(page.closed).toEqual([]);
  });

  it('refuses a folder that was made before an edit that no folder had yet', async () => {
    const id = await newPipeline();
    const { files, revision } = await draftOf(id);
    const page = await openPage(await connect(), id);
    await page.send(rename('newer'));
    const headers = { 'if-match': `"${revision}"` };
    const put = await app.call('PUT', `/api/v1/pipelines/${id}/draft`, { files }, headers);
    expect(put.status).toBe(412);
    expect(nameOf(page)).toBe('newer');
  });

  it('tells the audit log once who edits it, not every letter', async () => {
    const id = await newPipeline();
    const [one, two] = [
      await openPage(await connect('editor', 'ada'), id),
      await openPage(await connect('editor', 'ben'), id),
    ];
    for (const name of ['a', 'ab', 'abc']) await one.send(rename(name));
    await two.send(rename('abcd'));
    const told = () =>
      base.store.database.rows<{ actor_name: string }>(
        `select actor_name from millrace.audit_events where action = 'draft.edited' and target = $1 order by number`,
        [id],
      );
    await expect.poll(async () => (await told()).map((row) => row.actor_name)).toEqual(['ada', 'ben']);
  });

  it('begins anew under another epoch when a folder cannot be had by edits', async () => {
    const id = await newPipeline();
    const page = await openPage(await connect(), id);
    const { files, revision } = await draftOf(id);
    const json = files['pipeline.json']!.replaceAll('n_in', 'Odd');
    const headers = { 'if-match': `"${revision}"` };
    const body = { files: { ...files, 'pipeline.json': json } };
    expect((await app.call('PUT', `/api/v1/pipelines/${id}/draft`, body, headers)).status).toBe(200);
    await expect.poll(() => page.closed[0]?.code).toBe('renewed');
    const again = await openPage(await connect(), id, { epoch: page.opened.epoch });
    expect(again.opened.epoch).toBe(page.opened.epoch + 1);
    expect(again.document.read().pipeline.nodes.has('Odd')).toBe(true);
  });

  it('ends for everybody when the pipeline is deleted, with all of it written', async () => {
    const id = await newPipeline();
    const page = await openPage(await connect(), id);
    await page.send(rename('last'));
    expect((await app.call('DELETE', `/api/v1/pipelines/${id}`)).status).toBe(204);
    await expect.poll(() => page.closed[0]?.code).toBe('not-found');
    const draft = await base.store.catalog.drafts.get('w_default', id);
    expect(draft?.files.get('pipeline.json')).toContain('last');
  });
});

describe('a connection that was lost', () => {
  it('goes on under its client id, with what each side lacks', async () => {
    const id = await newPipeline();
    const socket = await connect('editor', 'ann');
    const page = await openPage(socket, id);
    const offline = page.edit(rename('offline')).update;
    socket.disconnect();
    const other = await openPage(await connect('editor', 'ben'), id);
    await other.send({ kind: 'rename-node', node: 'n_out', name: 'meanwhile' });
    const { client, epoch } = page.opened;
    const had = { client, epoch, vector: vectorOf(page.document) };
    const again = await openPage(await connect('editor', 'ann'), id, had);
    expect(again.opened.client).toBe(client);
    expect(again.opened.update.length).toBeLessThan(page.opened.update.length);
    expect(await again.put(offline)).toEqual({ ok: true });
    expect(await again.put(offline)).toEqual({ ok: true });
    await expect.poll(() => nameOf(other)).toBe('offline');
  });

  it('is given another client id where the one it had is somebody else’s', async () => {
    const id = await newPipeline();
    const ann = await openPage(await connect('editor', 'ann'), id);
    const { client, epoch } = ann.opened;
    const ben = await openPage(await connect('editor', 'ben'), id, { client, epoch });
    expect(ben.opened.client).not.toBe(client);
  });
});

describe('what the relay refuses', () => {
  it('edits under another user’s client id, and tells why; nothing of them arrives', async () => {
    const id = await newPipeline();
    const ann = await openPage(await connect('editor', 'ann'), id);
    const ben = await openPage(await connect('editor', 'ben'), id);
    ben.document.doc.clientID = ann.opened.client;
    expect(await ben.send(rename('forged'))).toMatchObject({ ok: false, code: 'foreign-client' });
    expect(await ann.send(rename('true'))).toEqual({ ok: true });
    expect((await draftOf(id)).files['pipeline.json']).not.toContain('forged');
  });

  it('bytes that are no update, edits whose base is missing, and more than 1 MB in parts', async () => {
    const id = await newPipeline();
    const page = await openPage(await connect(), id);
    expect(await page.put(new Uint8Array([9, 9, 9, 9]))).toMatchObject({ ok: false, code: 'malformed' });
    page.edit(rename('unsent'));
    expect(await page.send(rename('later'))).toMatchObject({ ok: false, code: 'resync' });
    const part = new Uint8Array(256 * 1024);
    for (let sent = 0; sent < 4; sent++) expect(await page.put(part, true)).toEqual({ ok: true });
    expect(await page.put(part, true)).toMatchObject({ ok: false, code: 'too-large' });
    expect(await page.put(new Uint8Array(300 * 1024))).toMatchObject({ ok: false, code: 'invalid' });
  });

  it('an update in parts arrives as one', async () => {
    const id = await newPipeline();
    const page = await openPage(await connect(), id);
    const { update } = page.edit(rename('in parts'));
    await page.put(update.slice(0, 10), true);
    expect(await page.put(update.slice(10))).toEqual({ ok: true });
    expect((await draftOf(id)).files['pipeline.json']).toContain('in parts');
  });

  it('edits of who may only look, of a sample, and of who did not open it', async () => {
    const id = await newPipeline();
    const viewer = await openPage(await connect('viewer'), id);
    expect(viewer.opened.canEdit).toBe(false);
    expect(await viewer.send(rename('no'))).toMatchObject({ ok: false, code: 'not-allowed' });
    const stranger = await connect();
    const bytes = new Uint8Array([0, 0]);
    expect(await ask(stranger, 'doc.update', { pipeline: id, bytes })).toMatchObject({ code: 'not-open' });
  });

  it('DS1: edits as soon as the right to edit is withdrawn, and following as soon as that is', async () => {
    const id = await newPipeline();
    const page = await openPage(await connect('editor', 'ann'), id);
    rig.who.actor = accountActor('viewer', 'ann');
    rig.access.tell({ kind: 'account', account: 'a_ann' });
    await expect.poll(() => page.news.some(({ canEdit }) => canEdit === false)).toBe(true);
    expect(await page.send(rename('late'))).toMatchObject({ ok: false, code: 'not-allowed' });
    rig.who.actor = { ...accountActor('viewer', 'ann'), scopes: new Set() };
    rig.access.tell({ kind: 'account', account: 'a_ann' });
    await expect.poll(() => page.closed[0]?.code).toBe('not-allowed');
  });
});

describe('who is there', () => {
  it('is told under the name the server knows, with the newest state only, until they leave', async () => {
    const id = await newPipeline();
    const ann = await openPage(await connect('editor', 'ann'), id);
    const socket = await connect('editor', 'ben');
    const ben = await openPage(socket, id);
    expect(ben.opened.peers).toMatchObject([{ account: 'a_ann', name: 'ann' }]);
    const state = { cursor: [1, 2], selection: ['n_in'], name: 'the owner' };
    expect(await ask(socket, 'doc.presence', { pipeline: id, state })).toEqual({ ok: true });
    await expect
      .poll(() => ann.news.flatMap(({ peers }) => peers).at(-1))
      .toEqual({
        client: ben.opened.client,
        account: 'a_ben',
        name: 'ben',
        state: { cursor: [1, 2], selection: ['n_in'] },
      });
    socket.disconnect();
    await expect.poll(() => ann.news.flatMap(({ gone }) => gone)).toContain(ben.opened.client);
  });

  it('moves nothing on other canvases for who may only look', async () => {
    const id = await newPipeline();
    const ann = await openPage(await connect('editor', 'ann'), id);
    for (const role of ['viewer', 'editor'] as const) {
      const socket = await connect(role, role);
      await openPage(socket, id);
      const state = { cursor: [1, 2], dragging: [['n_in', 900, 900]] };
      expect(await ask(socket, 'doc.presence', { pipeline: id, state })).toEqual({ ok: true });
    }
    const shown = () => ann.news.flatMap(({ peers }) => peers).filter(({ state }) => state.cursor);
    await expect.poll(() => shown().map(({ name }) => name)).toEqual(['viewer', 'editor']);
    expect(shown().map(({ state }) => state.dragging)).toEqual([undefined, [['n_in', 900, 900]]]);
  });
});

describe('what a user may take back', () => {
  it('is kept by the server, shared by that user’s pages, and no one else’s', async () => {
    const id = await newPipeline();
    const socket = await connect('editor', 'ann');
    const page = await openPage(socket, id);
    const tab = await openPage(await connect('editor', 'ann'), id);
    const { applied } = page.edit(rename('undoable'));
    const step = { label: 'rename', at: 1, epoch: page.opened.epoch, changes: applied.changes };
    const steps = JSON.stringify([step]);
    expect(await ask(socket, 'doc.history', { pipeline: id, base: 0, steps })).toMatchObject({ revision: 1 });
    await expect.poll(() => tab.news.some(({ history }) => history?.revision === 1)).toBe(true);
    const reload = await openPage(await connect('editor', 'ann'), id);
    expect(JSON.parse(reload.opened.history.history).undo).toHaveLength(1);
    const other = await openPage(await connect('editor', 'ben'), id);
    expect(JSON.parse(other.opened.history.history)).toEqual(EMPTY_HISTORY);
  });

  it('is replaced only from what is the newest, and never by what is no history', async () => {
    const id = await newPipeline();
    const socket = await connect();
    await openPage(socket, id);
    const history = JSON.stringify(EMPTY_HISTORY);
    const put = (base: number) => ask(socket, 'doc.history', { pipeline: id, base, history });
    expect(await put(0)).toEqual({ ok: true, revision: 1 });
    expect(await put(0)).toMatchObject({ ok: false, code: 'conflict', current: { revision: 1 } });
    expect(await ask(socket, 'doc.history', { pipeline: id, base: 1, steps: '[{}]' })).toMatchObject({
      code: 'invalid',
    });
  });
});
