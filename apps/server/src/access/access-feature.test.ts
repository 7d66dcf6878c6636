import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { accessStore, openStore, type Store } from '@millrace/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountActor, startTestApp, type TestApp } from '../testing/test-app.ts';
import { accessFeature } from './access-feature.ts';

const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'millrace-access-')));
const at = (...parts: string[]): string => path.join(root, ...parts);
let store: Store;
let app: TestApp;

beforeAll(async () => {
  for (const folder of ['data/files/w_default', 'in', 'home']) mkdirSync(at(folder), { recursive: true });
  writeFileSync(at('a-file'), '');
  symlinkSync(at('in'), at('to-in'));
  symlinkSync(at('data'), at('to-data'));
  store = await openStore({ dataDir: at('data') }, () => undefined);
  app = await startTestApp([accessFeature({ access: accessStore(store.database), dataDir: at('data') })]);
  app.act(accountActor('owner'));
});
afterAll(async () => {
  await app.close();
  await store.close();
  rmSync(root, { recursive: true, force: true });
});

const write = (body: unknown, version: number) =>
  app.call('PUT', '/api/v1/settings/access', body, { 'if-match': `"${version}"` });

describe('access settings over HTTP', () => {
  test('begin closed, and are kept as real paths and hosts in one spelling', async () => {
    const before = await app.call('GET', '/api/v1/settings/access');
    expect(before.body).toEqual({ folders: [], hosts: [] });
    expect(before.headers.get('etag')).toBe('"0"');
    const hosts = ['Wiki.Internal', 'wiki.internal', 'db:5432', '[::1]:8080', '10.0.0.7'];
    const written = await write({ folders: [at('to-in'), at('in'), at('home')], hosts }, 0);
    expect(written.body).toEqual({
      folders: [at('in'), at('home')],
      hosts: ['wiki.internal', 'db:5432', '[::1]:8080', '10.0.0.7'],
    });
    expect(written.headers.get('etag')).toBe('"1"');
    const [audited] = await store.query('select action, actor from millrace.audit_events');
    expect(audited).toEqual({ action: 'access.written', actor: 'a_owner' });
  });

  test('who read an older version is told, and so is who names none', async () => {
    expect((await write({ folders: [], hosts: [] }, 0)).status).toBe(412);
    const blind = await app.call('PUT', '/api/v1/settings/access', { folders: [], hosts: [] });
    expect(blind.status).toBe(428);
    expect((await write({ folders: [], hosts: [] }, Number.NaN)).status).toBe(412);
  });

  test.each([
    ['relative', 'is not an absolute path'],
    ['/no/such/folder', 'is not there'],
    ['/proc', 'is no folder of files'],
    ['/', 'holds Millrace’s own data folder'],
  ])('the folder %s is refused', async (folder, reason) => {
    const answer = await write({ folders: [folder], hosts: [] }, 1);
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(reason);
  });

  test('Millrace’s own data is never opened, by whatever path', async () => {
    for (const folder of [at('data'), at('data/files'), at('to-data'), at('in/../data/postgres'), root])
      expect([folder, (await write({ folders: [folder], hosts: [] }, 1)).status]).toEqual([folder, 422]);
    expect((await write({ folders: [at('a-file')], hosts: [] }, 1)).status).toBe(422);
  });

  test.each(['', '*', '*.internal', '10.0.0.0/8', 'http://x', 'a b', 'x:port', '::1', '[::1', 'x/y', '.a'])(
    '%j is no host',
    async (host) => expect((await write({ folders: [], hosts: [host] }, 1)).status).toBe(400),
  );

  test('only who may manage settings sees or changes them', async () => {
    for (const role of ['viewer', 'editor'] as const) {
      app.act(accountActor(role));
      expect((await app.call('GET', '/api/v1/settings/access')).status).toBe(403);
      expect((await write({ folders: [], hosts: ['localhost'] }, 1)).status).toBe(403);
    }
    app.act(accountActor('owner'));
  });
});
