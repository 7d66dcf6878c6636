import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openKeyring, openStore, type Store, secretStore } from '@millrace/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOBODY } from '../http/actor.ts';
import { accountActor, startTestApp, type TestApp, tokenActor } from '../testing/test-app.ts';
import { secretsFeature } from './secrets-feature.ts';

const CANARY = 'canary-5e1f-in-the-api';
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'millrace-secrets-'));
let store: Store;
let app: TestApp;

beforeAll(async () => {
  store = await openStore({ dataDir }, () => undefined);
  const secrets = secretStore(store.database, () => openKeyring({ dataDir, env: {} }));
  app = await startTestApp([secretsFeature({ secrets })]);
});
afterAll(async () => {
  await app.close();
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const put = (name: string, value: unknown) => app.call('PUT', `/api/v1/secrets/${name}`, { value });

/** A deployed version whose plan names secrets. */
async function deployed(pipeline: string, ...names: readonly string[]): Promise<void> {
  const { versions } = await store.pipeline(pipeline);
  const headers = Object.fromEntries(names.map((secret) => [secret, { secret }]));
  const plan = JSON.stringify({ nodes: [{ config: { headers } }, { config: {} }] });
  const version = await versions.save({ hash: pipeline, folder: '{}', plan, bundle: '', sdkVersion: '1' });
  await store.deployments.deploy({
    ...{ pipeline, workspace: 'w_default', version, desired: 'stopped', workers: 1, dropState: [] },
    ...{ plannedFrom: undefined, folder: undefined, actor: 'a', message: '' },
  });
}

describe('secrets over HTTP', () => {
  test('an owner writes, lists and deletes them; no answer holds a value', async () => {
    app.act(accountActor('owner'));
    const answers = [await put('crm', CANARY), await put('crm', `${CANARY}2`), await put('other', CANARY)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await deployed('p_a', 'crm', 'absent');
    await deployed('p_b', 'crm');
    const listed = await app.call('GET', '/api/v1/secrets');
    expect(listed.body).toMatchObject({
      items: [
        { name: 'crm', updatedBy: 'a_owner', usedBy: [{ id: 'p_a', name: 'p_a' }, { id: 'p_b' }] },
        { name: 'other', usedBy: [] },
      ],
      next: null,
    });
    expect((await app.call('DELETE', '/api/v1/secrets/other')).status).toBe(204);
    expect((await app.call('DELETE', '/api/v1/secrets/other')).status).toBe(404);
    const audited = await store.query(
      'select e.*, e::text as text from millrace.audit_events e order by number',
    );
    expect(audited.map(({ action, target }) => `${action} ${target}`)).toEqual([
      ...['secret.written crm', 'secret.written crm', 'secret.written other', 'secret.deleted other'],
    ]);
    expect(JSON.stringify([answers, listed, audited])).not.toContain(CANARY);
  });

  test('there is no way to read one back', async () => {
    app.act(accountActor('owner'));
    await put('crm', CANARY);
    for (const [method, where] of [
      ['GET', '/api/v1/secrets/crm'],
      ['GET', '/api/v1/secrets/crm/value'],
      ['POST', '/api/v1/secrets/crm'],
      ['PATCH', '/api/v1/secrets/crm'],
    ] as const) {
      const answer = await app.call(method, where, method === 'GET' ? undefined : {});
      expect([where, answer.status]).toEqual([where, 404]);
    }
  });

  test('lists in pages', async () => {
    app.act(accountActor('owner'));
    for (const name of ['a1', 'a2', 'a3']) await put(name, 'x');
    const names: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = cursor === '' ? 'limit=2' : `limit=2&cursor=${cursor}`;
      const { body } = await app.call('GET', `/api/v1/secrets?${query}`);
      const page = body as { items: { name: string }[]; next: string | null };
      names.push(...page.items.map(({ name }) => name));
      cursor = page.next;
    }
    expect(names).toEqual(['a1', 'a2', 'a3', 'crm']);
  });

  test('names are for who may name them in a pipeline; nothing else is told of them', async () => {
    for (const [actor, status] of [
      [accountActor('owner'), 200],
      [accountActor('editor'), 200],
      [tokenActor(['graph.write']), 200],
      [accountActor('viewer'), 403],
      [tokenActor(['graph.read', 'run.deploy', 'data.read']), 403],
      [NOBODY, 401],
    ] as const) {
      app.act(actor);
      const answer = await app.call('GET', '/api/v1/secret-names');
      expect(answer.status).toBe(status);
      if (status === 200) expect(answer.body).toEqual({ names: ['a1', 'a2', 'a3', 'crm'] });
    }
  });

  test('whoever may not manage settings can neither list, write nor delete', async () => {
    const outsiders = [
      accountActor('viewer'),
      accountActor('editor'),
      tokenActor(['graph.read', 'run.deploy']),
    ];
    for (const actor of [...outsiders, NOBODY]) {
      app.act(actor);
      const statuses = [
        (await app.call('GET', '/api/v1/secrets')).status,
        (await put('crm', 'overwritten')).status,
        (await app.call('DELETE', '/api/v1/secrets/crm')).status,
      ];
      expect(new Set(statuses)).toEqual(new Set([actor === NOBODY ? 401 : 403]));
    }
  });

  test('names and values that are none are refused, and a refusal repeats no value', async () => {
    app.act(accountActor('owner'));
    for (const name of ['..', '.hidden', 'a%2Fb', 'a%00', '%20', 'x'.repeat(101)])
      expect([name, (await put(name, 'x')).status]).toEqual([name, expect.toBeOneOf([400, 404])]);
    for (const value of ['', 7, null, ['x'], 'x'.repeat(65_537), `${CANARY}\0`]) {
      const answer = await put('crm', value);
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).not.toContain(CANARY);
    }
    expect((await put('crm', 'x'.repeat(1 << 20))).status).toBe(413);
    expect((await put('big', '☃'.repeat(20_000))).status).toBe(200);
  });
});
