import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD, startTestAccounts, type TestAccounts, type TestClient } from '../testing/test-accounts.ts';
import { testFolder } from '../testing/test-folder.ts';
import type { AccessChange } from './access-changes.ts';
import { firstOwner } from './first-owner.ts';
import { makePasswordLink, makeSetupLink } from './links.ts';
import { passwords } from './passwords.ts';

const folder = testFolder();
let accounts: TestAccounts;
let owner: TestClient;

beforeAll(async () => {
  accounts = await startTestAccounts(folder.path);
});
beforeEach(async () => {
  await accounts.store.query('delete from millrace.rate_limits');
  await accounts.store.query('delete from millrace.accounts');
  owner = await accounts.owner();
});
afterAll(async () => {
  await accounts.close();
  await folder.remove();
});

const code = ({ body }: { body: unknown }) => (body as { code: string }).code;

async function invite(role: string, email?: string): Promise<string> {
  const { body, status } = await owner.call('POST', '/api/v1/invitations', { role, ...(email && { email }) });
  expect(status).toBe(201);
  return (body as { url: string }).url.split('#')[1]!;
}

async function join(role: string, email: string): Promise<{ client: TestClient; account: string }> {
  const client = accounts.client();
  const secret = await invite(role);
  const { body } = await client.call('POST', '/api/v1/invitations/accept', {
    secret,
    email,
    password: PASSWORD,
  });
  return { client, account: (body as { account: { id: string } }).account.id };
}

const login = (client: TestClient, email: string, password = PASSWORD) =>
  client.call('POST', '/api/v1/login', { email, password });

describe('the first owner', () => {
  test('is made by a link that is good once', async () => {
    expect((await owner.call('GET', '/api/v1/me')).body).toMatchObject({ role: 'owner' });
    const secret = await makeSetupLink(accounts.store.database);
    const make = (email: string) =>
      accounts.client().call('POST', '/api/v1/setup', { secret, email, password: PASSWORD });
    const answers = await Promise.all([make('a@example.org'), make('b@example.org')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 410]);
  });

  test('voids all other open links', async () => {
    const { database } = accounts.store;
    const [one, two] = [await makeSetupLink(database), await makeSetupLink(database)];
    const body = { email: 'c@example.org', password: PASSWORD };
    expect((await accounts.client().call('POST', '/api/v1/setup', { secret: one, ...body })).status).toBe(
      201,
    );
    const again = await accounts.client().call('POST', '/api/v1/setup', { secret: two, ...body });
    expect(code(again)).toBe('link-not-valid');
  });

  test('cannot be made with a link older than a day', async () => {
    const secret = await makeSetupLink(accounts.store.database);
    await accounts.store.query("update millrace.account_links set expires_at = now() - interval '1 second'");
    const body = { secret, email: 'd@example.org', password: PASSWORD };
    expect((await accounts.client().call('POST', '/api/v1/setup', body)).status).toBe(410);
  });

  test('comes from the environment only while there is none', async () => {
    const { database } = accounts.store;
    const given = { email: 'env@example.org', password: PASSWORD };
    expect(await firstOwner(database, passwords(), given)).toEqual({ kind: 'there' });
    await accounts.store.query('delete from millrace.accounts');
    expect(await firstOwner(database, passwords(), given)).toEqual({ kind: 'made', email: given.email });
    expect((await login(accounts.client(), given.email)).status).toBe(200);
  });
});

describe('a session', () => {
  test('lives in a cookie no script can read, and only its hash is stored', async () => {
    const answer = await login(accounts.client(), 'Owner@Example.ORG');
    expect(answer.status).toBe(200);
    const cookie = answer.headers.get('set-cookie')!;
    expect(cookie).toMatch(/^millrace_i_[0-9a-f]{12}=[\w-]{43}; .*HttpOnly; SameSite=Lax$/);
    const secret = cookie.split(/[=;]/)[1]!;
    const dump = JSON.stringify(await accounts.store.query('select * from millrace.sessions'));
    expect(dump).not.toContain(secret);
  });

  test('ends with a log-out, and then its cookie is worth nothing', async () => {
    const { cookie } = owner;
    expect((await owner.call('POST', '/api/v1/logout')).status).toBe(204);
    expect(owner.cookie).toBeUndefined();
    const stolen = await accounts.client().call('GET', '/api/v1/me', undefined, { cookie: cookie! });
    expect(code(stolen)).toBe('not-logged-in');
  });

  test('ends by idling and at its absolute end', async () => {
    const { store } = accounts;
    await store.query("update millrace.sessions set last_used_at = now() - interval '7 days'");
    expect((await owner.call('GET', '/api/v1/me')).status).toBe(401);
    await store.query('update millrace.sessions set last_used_at = now()');
    expect((await owner.call('GET', '/api/v1/me')).status).toBe(200);
    await store.query('update millrace.sessions set expires_at = now()');
    expect((await owner.call('GET', '/api/v1/me')).status).toBe(401);
  });

  test('can be ended from elsewhere, one or all', async () => {
    const other = accounts.client();
    await login(other, 'owner@example.org');
    const { body } = await other.call('GET', '/api/v1/sessions');
    const { items } = body as { items: { id: string; current: boolean }[] };
    expect(items).toHaveLength(2);
    const first = items.find(({ current }) => !current)!;
    expect((await other.call('DELETE', `/api/v1/sessions/${first.id}`)).status).toBe(204);
    expect((await owner.call('GET', '/api/v1/me')).status).toBe(401);
    expect((await other.call('DELETE', '/api/v1/sessions')).status).toBe(204);
    expect((await accounts.store.query('select from millrace.sessions')).length).toBe(0);
  });

  test('cannot be forged, and another account’s cannot be ended', async () => {
    const { client, account } = await join('viewer', 'v@example.org');
    const name = owner.cookie!.split('=')[0];
    const forged = await accounts
      .client()
      .call('GET', '/api/v1/me', undefined, { cookie: `${name}=${account}` });
    expect(forged.status).toBe(401);
    const { body } = await owner.call('GET', '/api/v1/sessions');
    const { id } = (body as { items: { id: string }[] }).items[0]!;
    expect((await client.call('DELETE', `/api/v1/sessions/${id}`)).status).toBe(404);
    expect((await owner.call('GET', '/api/v1/me')).status).toBe(200);
  });
});

describe('a request another site causes', () => {
  const forge = (origin: string | undefined, headers: Record<string, string> = {}) =>
    fetch(`${accounts.app.url}/api/v1/invitations`, {
      method: 'POST',
      headers: {
        cookie: owner.cookie!,
        'content-type': 'application/json',
        ...(origin !== undefined && { origin }),
        ...headers,
      },
      body: JSON.stringify({ role: 'owner' }),
    });

  test('is refused: foreign, missing or opaque origins, other ports, forms', async () => {
    for (const origin of [
      'https://evil.example',
      undefined,
      'null',
      'http://127.0.0.1:1',
      'http://localhost',
    ])
      expect((await forge(origin)).status, origin).toBe(403);
    const form = await forge(accounts.app.url, { 'content-type': 'text/plain' });
    expect(form.status).toBe(415);
    expect((await forge(accounts.app.url)).status).toBe(201);
  });

  test('is refused for a log-in too', async () => {
    const answer = await accounts
      .client()
      .call(
        'POST',
        '/api/v1/login',
        { email: 'owner@example.org', password: PASSWORD },
        { origin: 'http://evil.example' },
      );
    expect(code(answer)).toBe('foreign-origin');
  });
});

describe('logging in', () => {
  test('is refused alike for a wrong password and an unknown address', async () => {
    const wrong = await login(accounts.client(), 'owner@example.org', 'not this one');
    const unknown = await login(accounts.client(), 'nobody@example.org');
    const plain = ({ body }: { body: unknown }) => ({ ...(body as object), requestId: '' });
    expect(wrong.status).toBe(401);
    expect(plain(wrong)).toEqual(plain(unknown));
  });

  test('of a thousand attempts a few are computed, the others told when to come again, and nobody else waits', async () => {
    let answered = 0;
    const attempts = Array.from({ length: 1000 }, (_, i) =>
      login(accounts.client(), 'owner@example.org', `guess number ${i}`).finally(() => answered++),
    );
    expect((await accounts.client().call('GET', '/api/v1/me')).status).toBe(401);
    // Nobody else waits behind them.
    expect(answered).toBeLessThan(1000);
    const answers = await Promise.all(attempts);
    const statuses = new Map<number, number>();
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    expect(statuses.get(401)).toBeLessThanOrEqual(10);
    expect(statuses.get(429)).toBeGreaterThanOrEqual(990);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // All of it is in the database: the right password has to wait too, and a new server would say the same.
    expect((await login(accounts.client(), 'owner@example.org')).status).toBe(429);
  });

  test('a success forgets the failures before it', async () => {
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 9; i++) await login(accounts.client(), 'owner@example.org', 'not this one');
      expect((await login(accounts.client(), 'owner@example.org')).status).toBe(200);
    }
  });
});

describe('members', () => {
  test('join by a link that is good once, and may be bound to an address', async () => {
    const secret = await invite('editor', 'e@example.org');
    const accept = (email: string) =>
      accounts.client().call('POST', '/api/v1/invitations/accept', { secret, email, password: PASSWORD });
    expect(code(await accept('other@example.org'))).toBe('other-email');
    const seen = await accounts.client().call('POST', '/api/v1/invitations/look', { secret });
    expect(seen.body).toMatchObject({ role: 'editor', email: 'e@example.org' });
    expect((await accept('E@example.org')).body).toMatchObject({ role: 'editor' });
    expect(code(await accept('e@example.org'))).toBe('link-not-valid');
  });

  test('an account that exists cannot be taken over with an invitation', async () => {
    await join('viewer', 'v@example.org');
    const secret = await invite('owner');
    const body = { secret, email: 'v@example.org', password: 'another password' };
    expect(code(await accounts.client().call('POST', '/api/v1/invitations/accept', body))).toBe(
      'email-taken',
    );
    expect((await login(accounts.client(), 'v@example.org')).body).toMatchObject({ role: 'viewer' });
  });

  test('a changed role and a removal take effect with the next request, and are told at once', async () => {
    const { client, account } = await join('editor', 'e@example.org');
    const told: AccessChange[] = [];
    const stop = accounts.access.onAccessChanged((change) => told.push(change));
    await owner.call('PATCH', `/api/v1/members/${account}`, { role: 'viewer' });
    expect((await client.call('GET', '/api/v1/me')).body).toMatchObject({ role: 'viewer' });
    expect((await owner.call('DELETE', `/api/v1/members/${account}`)).status).toBe(204);
    expect((await client.call('GET', '/api/v1/me')).status).toBe(401);
    expect((await login(accounts.client(), 'e@example.org')).status).toBe(401);
    stop();
    expect(told).toEqual([
      { kind: 'account', account },
      { kind: 'account', account },
    ]);
  });

  test('the last owner stays, also when two leave at once', async () => {
    const me = (await owner.call('GET', '/api/v1/me')).body as { account: { id: string } };
    expect(code(await owner.call('POST', '/api/v1/leave'))).toBe('last-owner');
    const demote = await owner.call('PATCH', `/api/v1/members/${me.account.id}`, { role: 'editor' });
    expect(code(demote)).toBe('last-owner');
    const { client } = await join('owner', 'second@example.org');
    const left = await Promise.all([
      owner.call('POST', '/api/v1/leave'),
      client.call('POST', '/api/v1/leave'),
    ]);
    expect(left.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  test('set a new password with a link, which ends all their sessions', async () => {
    const { client, account } = await join('viewer', 'v@example.org');
    const secret = await makePasswordLink(accounts.store.database, account);
    const body = { secret, password: 'a new one, longer' };
    expect((await accounts.client().call('POST', '/api/v1/password-reset', body)).status).toBe(204);
    expect((await accounts.client().call('POST', '/api/v1/password-reset', body)).status).toBe(410);
    expect((await client.call('GET', '/api/v1/me')).status).toBe(401);
    expect((await login(client, 'v@example.org', body.password)).status).toBe(200);
  });

  test('change their password knowing the old one; other sessions end, this one stays', async () => {
    const other = accounts.client();
    await login(other, 'owner@example.org');
    const change = (current: string) =>
      owner.call('POST', '/api/v1/me/password', { current, next: 'a new one, longer' });
    expect(code(await change('not this one'))).toBe('wrong-password');
    expect((await change(PASSWORD)).status).toBe(204);
    expect((await owner.call('GET', '/api/v1/me')).status).toBe(200);
    expect((await other.call('GET', '/api/v1/me')).status).toBe(401);
  });
});

describe('an API token', () => {
  const make = (client: TestClient, body: object) =>
    client.call('POST', '/api/v1/tokens', { name: 'ci', scopes: ['graph.read'], ...body });
  const use = (token: string, path = '/api/v1/me') =>
    accounts.client().call('GET', path, undefined, { authorization: `Bearer ${token}` });

  test('may what it was given, is kept as a hash, and ends when it is revoked', async () => {
    const { body } = await make(owner, {});
    const { id, token } = body as { id: string; token: string };
    expect(token).toMatch(/^mr_[\w-]{43}$/);
    expect((await use(token)).body).toMatchObject({ kind: 'token', scopes: ['graph.read'] });
    expect((await use(token, '/api/v1/members')).status).toBe(200);
    expect((await use(token, '/api/v1/audit')).status).toBe(403);
    expect((await use(token, '/api/v1/tokens')).status).toBe(403);
    const dump = JSON.stringify(await accounts.store.query('select * from millrace.api_tokens'));
    expect(dump).not.toContain(token.slice(3));
    expect((await owner.call('DELETE', `/api/v1/tokens/${id}`)).status).toBe(204);
    expect(code(await use(token))).toBe('bad-token');
  });

  test('never may more than who made it: at birth, and after that one’s role has changed', async () => {
    const { client, account } = await join('editor', 'e@example.org');
    expect((await make(client, { scopes: ['members.manage'] })).status).toBe(403);
    const { body } = await make(client, { scopes: ['graph.read', 'run.deploy', 'ingest'] });
    const { token } = body as { token: string };
    await owner.call('PATCH', `/api/v1/members/${account}`, { role: 'viewer' });
    expect((await use(token)).body).toMatchObject({ scopes: ['graph.read'] });
    await owner.call('DELETE', `/api/v1/members/${account}`);
    expect((await use(token)).status).toBe(401);
  });

  test('of a removed member stays dead when the member is invited again', async () => {
    const { client, account } = await join('editor', 'e@example.org');
    const { token } = (await make(client, {})).body as { token: string };
    const { cookie } = client;
    await owner.call('DELETE', `/api/v1/members/${account}`);
    const secret = await invite('editor');
    const body = { secret, email: 'e@example.org', password: PASSWORD };
    const again = await accounts.client().call('POST', '/api/v1/invitations/accept', body);
    expect(again.body).toMatchObject({ account: { id: account }, role: 'editor' });
    expect((await use(token)).status).toBe(401);
    const old = await accounts.client().call('GET', '/api/v1/me', undefined, { cookie: cookie! });
    expect(old.status).toBe(401);
  });

  test('expires, and may be bound to one pipeline', async () => {
    const { body } = await make(owner, { pipeline: 'p_one', validDays: 1 });
    const { token } = body as { token: string };
    expect((await use(token)).body).toMatchObject({ pipeline: 'p_one' });
    expect((await use(token, '/api/v1/members')).status).toBe(403);
    await accounts.store.query('update millrace.api_tokens set expires_at = now()');
    expect((await use(token)).status).toBe(401);
  });

  test('of somebody else can be revoked by who manages members only', async () => {
    const { client } = await join('viewer', 'v@example.org');
    const { id } = (await make(owner, {})).body as { id: string };
    expect((await client.call('DELETE', `/api/v1/tokens/${id}`)).status).toBe(404);
    expect((await client.call('GET', '/api/v1/tokens?of=all')).status).toBe(403);
    const own = (await make(client, {})).body as { id: string };
    expect((await owner.call('DELETE', `/api/v1/tokens/${own.id}`)).status).toBe(204);
  });
});

describe('the audit log', () => {
  test('tells who changed what, newest first, in pages, without secrets', async () => {
    await join('viewer', 'v@example.org');
    await owner.call('POST', '/api/v1/tokens', { name: 'ci', scopes: ['graph.read'] });
    const first = await owner.call('GET', '/api/v1/audit?limit=2');
    const page = first.body as { items: { action: string; targetName: string }[]; next: string };
    expect(page.items.map(({ action, targetName }) => [action, targetName])).toEqual([
      ['token.made', 'ci'],
      ['member.joined', 'v'],
    ]);
    const rest = await owner.call('GET', `/api/v1/audit?limit=200&cursor=${page.next}`);
    expect((rest.body as { items: { action: string }[] }).items[0]!.action).toBe('invitation.made');
    const all = JSON.stringify(await accounts.store.query('select * from millrace.audit_events'));
    expect(all).not.toMatch(/mr_|correct horse/);
    expect((await owner.call('GET', '/api/v1/audit?cursor=bm9uc2Vuc2U')).status).toBe(400);
  });
});
