/** Who may not, does not: every route and event tried by those who lack the right, with forged and stale credentials. */
import http from 'node:http';
import {
  eventNames,
  eventSpec,
  ROLE_PERMISSIONS,
  type RouteId,
  routeIds,
  routeSpec,
} from '@millrace/protocol/api';
import type { Socket } from 'socket.io-client';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ask, Caller, join, logIn, makeToken, PASSWORD } from '../support/served.ts';
import { lookInto } from '../support/served-database.ts';
import { sharedServer, traces } from '../support/shared-server.ts';
import { watch } from '../support/watching.ts';

const shared = sharedServer();
const MINE = 'p_mine';
const THEIRS = 'p_theirs';
/** A sample that runs from the first second. */
const RUNNING = 'p_thismachine';

const graph = (id: string) => ({
  'pipeline.json': JSON.stringify({
    format: 1,
    id,
    name: id,
    nodes: {
      n_in: { type: 'injector/http', name: 'in', config: {} },
      n_out: { type: 'sink/discard', name: 'out' },
    },
    streams: { s_1: { from: ['n_in', 'out'], to: ['n_out', 'in'] } },
  }),
});

beforeAll(async () => {
  for (const id of [MINE, THEIRS]) {
    await shared.editor.done('POST', '/api/v1/pipelines', { files: graph(id) });
    await shared.editor.done('POST', `/api/v1/pipelines/${id}/versions`, {});
    await shared.editor.done('POST', `/api/v1/pipelines/${id}/deployment`, { version: 1 });
  }
  await shared.owner.done('PUT', '/api/v1/files/there.txt', 'there');
  await vi.waitFor(async () => expect((await post(shared.editor, MINE)).status).toBe(200), 60_000);
}, 120_000);

const post = (by: Caller, pipeline: string) =>
  by.call('POST', `/in/${pipeline}/n_in`, '[]', { 'content-type': 'application/json' });

/** A request that would do something if it were allowed. */
function call(by: Caller, id: RouteId, pipeline = MINE) {
  const { method, path, body, input } = routeSpec(id);
  const names: Record<string, string> = {
    pipeline,
    injector: 'n_in',
    node: 'n_in',
    version: '1',
    number: '1',
  };
  const address = path.replace(/[:*](\w+)/g, (_all, name: string) => names[name] ?? 'there.txt');
  const sent = input === 'stream' ? '[]' : body ? (GOOD[id] ?? {}) : undefined;
  return by.call(method.toUpperCase(), address, sent, {
    'content-type': 'application/json',
    'if-match': '"1"',
  });
}

const GOOD: Partial<Record<RouteId, unknown>> = {
  'pipelines.create': { name: 'not to be' },
  'pipelines.change': { name: 'not to be' },
  'draft.put': { files: graph(MINE) },
  'deployments.plan': { version: 1 },
  'deployments.deploy': { version: 1 },
  'members.change-role': { role: 'owner' },
  'invitations.create': { role: 'owner' },
  'workspace.rename': { name: 'not to be' },
  'secrets.put': { value: 'not to be' },
  'access.write': { folders: ['/'], hosts: ['127.0.0.1'] },
};

const needs = (id: RouteId): string => routeSpec(id).permission;
const isOpen = (id: RouteId): boolean => ['public', 'session', 'person'].includes(needs(id));

/** Sends all at once and gives what was not refused as expected. */
async function notRefused(
  ids: readonly RouteId[],
  refused: (id: RouteId) => Promise<{ status: number; code: string | undefined }>,
  wanted: string,
): Promise<string[]> {
  const answers = await Promise.all(
    ids.map(async (id) => {
      const { status, code } = await refused(id);
      return `${id} ${status} ${code}`;
    }),
  );
  return answers.filter((answer) => !answer.endsWith(` ${wanted}`));
}

describe('a route refuses, and nothing changes,', () => {
  it('control: whoever may is let through, and what changes is seen', async () => {
    const before = await traces(shared.data);
    await shared.owner.done('PATCH', '/api/v1/workspace', { name: 'another name' });
    expect(await traces(shared.data)).not.toEqual(before);
    expect(await statusAt(new URL(shared.url).host, '/api/v1/me')).toBe(200);
    expect(await connectError(shared.owner)).toBe('connected');
  });

  it('whoever is nobody', async () => {
    const before = await traces(shared.data);
    const ids = routeIds.filter((id) => needs(id) !== 'public');
    expect(await notRefused(ids, (id) => call(shared.nobody, id), '401 not-logged-in')).toEqual([]);
    expect(await traces(shared.data)).toEqual(before);
  });

  it('a viewer on each route of editors and owners, and an editor on each of owners', async () => {
    const before = await traces(shared.data);
    for (const role of ['viewer', 'editor'] as const) {
      const may: readonly string[] = ROLE_PERMISSIONS[role];
      const ids = routeIds.filter((id) => !isOpen(id) && !may.includes(needs(id)) && needs(id) !== 'ingest');
      expect(ids.length).toBeGreaterThan(10);
      expect(await notRefused(ids, (id) => call(shared[role], id), '403 not-allowed')).toEqual([]);
    }
    expect((await post(shared.viewer, MINE)).status).toBe(403);
    expect(await traces(shared.data)).toEqual(before);
  });

  it('a token for one pipeline on another one and on what is about all, posting to it included', async () => {
    const everything = [...ROLE_PERMISSIONS.editor, 'ingest'];
    const { token } = await makeToken(shared.editor, everything, { pipeline: MINE });
    const mine = Caller.withToken(shared.url, token);
    const before = await traces(shared.data);
    const ids = routeIds.filter((id) => !isOpen(id));
    expect(await notRefused(ids, (id) => call(mine, id, THEIRS), '403 not-allowed')).toEqual([]);
    for (const path of [
      'p_mine%2f..%2fp_theirs',
      'p_theirs%00',
      'P_MINE',
      '%70_theirs',
      'p_mine/../p_theirs',
    ])
      expect((await post(mine, path)).status, path).toBeGreaterThanOrEqual(400);
    expect(await traces(shared.data)).toEqual(before);
    expect((await post(mine, MINE)).status).toBe(200);
  });

  it('a token that wants more than its maker may, or what only a person may', async () => {
    const wants = (by: Caller, scopes: string[]) =>
      by.call('POST', '/api/v1/tokens', { name: 'more', scopes });
    expect((await wants(shared.viewer, ['data.read'])).status).toBe(403);
    expect((await wants(shared.editor, ['members.manage'])).status).toBe(403);
    const { token } = await makeToken(shared.owner, [...ROLE_PERMISSIONS.owner, 'ingest']);
    const all = Caller.withToken(shared.url, token);
    const before = await traces(shared.data);
    const ids = routeIds.filter((id) => needs(id) === 'person');
    expect(await notRefused(ids, (id) => call(all, id), '403 not-allowed')).toEqual([]);
    expect(await traces(shared.data)).toEqual(before);
  });
});

describe('what an exception says', () => {
  const FAILS = 'p_fails';
  /** Put together by the code, so that the code, which a viewer may read, does not hold it. */
  const QUOTED = 'quoted-4242';
  const files = {
    'pipeline.json': JSON.stringify({
      format: 1,
      id: FAILS,
      name: FAILS,
      nodes: {
        n_in: { type: 'injector/http', name: 'in', config: {} },
        n_code: { type: 'code', name: 'code', code: 'nodes/code.ts' },
      },
      streams: { s_1: { from: ['n_in', 'out'], to: ['n_code', 'in'] } },
    }),
    'nodes/code.ts': `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export type Outputs = Record<never, never>;
if (Date.now() > 0) throw new Error(['quoted', 4242].join('-'));
export default computation<Inputs, Outputs>({ processRecord() {} });
`,
  };

  it('is in no answer and no event to a viewer, whatever he asks; an editor is told', async () => {
    await shared.editor.done('POST', '/api/v1/pipelines', { files });
    await shared.editor.done('POST', `/api/v1/pipelines/${FAILS}/versions`, {});
    await shared.editor.done('POST', `/api/v1/pipelines/${FAILS}/deployment`, { version: 1 });
    const about = `/api/v1/pipelines/${FAILS}`;
    await vi.waitFor(
      async () => expect(JSON.stringify(await shared.editor.done('GET', `${about}/live`))).toContain(QUOTED),
      { timeout: 60_000, interval: 200 },
    );
    const socket = await connected(shared.viewer);
    const heard: string[] = [];
    socket.onAny((...given: unknown[]) => void heard.push(JSON.stringify(given)));
    await ask(socket, 'view.open', { pipeline: FAILS });
    await expect.poll(() => heard.join()).toContain('what went wrong');
    socket.close();
    const reads = routeIds.filter((id) => routeSpec(id).method === 'get');
    const told = async (by: Caller) => {
      const answers = await Promise.all(reads.map((id) => call(by, id, FAILS)));
      return answers.map(({ body }) => JSON.stringify(body)).join('\n');
    };
    expect(heard.join()).not.toContain(QUOTED);
    expect(await told(shared.viewer)).not.toContain(QUOTED);
    expect((await told(shared.editor)).split(QUOTED).length).toBeGreaterThan(3);
  });
});

describe('a credential is worth nothing', () => {
  const cookieOf = (by: Caller): [string, string] => String(by.headers.cookie).split('=') as [string, string];
  const withCookie = (cookie: string) => new Caller(shared.url, { cookie });
  const refusedEverywhere = async (by: Caller, why: string) => {
    expect((await by.call('GET', '/api/v1/me')).status, why).toBe(401);
    expect((await by.call('POST', '/api/v1/pipelines', { name: why })).status, why).toBe(401);
    expect((await post(by, MINE)).status, why).toBe(401);
    expect(await connectError(by), why).toMatch(/^(not-logged-in|bad-token)$/);
  };

  it('as a cookie that is forged, of another server, logged out or too old', async () => {
    const editor = await logIn(shared.url, 'editor@example.org');
    const [name, value] = cookieOf(editor);
    const flipped = (value[5] === 'A' ? 'B' : 'A') as string;
    await refusedEverywhere(withCookie(`${name}=${value.slice(0, 5)}${flipped}${value.slice(6)}`), 'forged');
    await refusedEverywhere(withCookie(`millrace_another=${value}`), 'of another server');
    await refusedEverywhere(withCookie(`${name}=`), 'empty');
    await refusedEverywhere(withCookie(`${name}=' or true --`), 'sql');
    const { items } = await editor.done<{ items: { id: string; current: boolean }[] }>(
      'GET',
      '/api/v1/sessions',
    );
    const id = items.find(({ current }) => current)?.id;
    // The id of a session, which its list shows, opens nothing.
    await refusedEverywhere(withCookie(`${name}=${id}`), 'id');
    await lookInto(
      shared.data,
      `with aged as (update millrace.sessions set expires_at = now() - interval '1 s' where id = $1 returning 1)
       select count(*) from aged`,
      [id],
    );
    await refusedEverywhere(editor, 'too old');
    const leaving = await logIn(shared.url, 'editor@example.org');
    await leaving.done('POST', '/api/v1/logout');
    await refusedEverywhere(leaving, 'logged out');
  });

  it('as a token that is forged, revoked or too old, also beside a good cookie', async () => {
    const { id, token } = await makeToken(shared.editor, [...ROLE_PERMISSIONS.editor, 'ingest']);
    const bearer = (text: string) => Caller.withToken(shared.url, text);
    expect((await bearer(token).call('GET', '/api/v1/me')).status).toBe(200);
    for (const text of [`${token}x`, token.slice(0, -1), token.slice(3), 'mr_', 'x', id])
      await refusedEverywhere(bearer(text), text);
    const both = new Caller(shared.url, { ...shared.owner.headers, authorization: `Bearer ${token}x` });
    expect((await both.call('GET', '/api/v1/me')).status).toBe(401);
    await lookInto(
      shared.data,
      `with aged as (update millrace.api_tokens set expires_at = now() - interval '1 s' where id = $1 returning 1)
       select count(*) from aged`,
      [id],
    );
    await refusedEverywhere(bearer(token), 'too old');
    const second = await makeToken(shared.editor, [...ROLE_PERMISSIONS.editor, 'ingest']);
    await shared.owner.done('DELETE', `/api/v1/tokens/${second.id}`);
    await refusedEverywhere(bearer(second.token), 'revoked');
  });
});

describe('another site, with the cookie of a visitor who is owner,', () => {
  const FOREIGN = ['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost.evil.example', ''];
  const writes = routeIds.filter((id) => routeSpec(id).method !== 'get');

  it('changes nothing by any route: not with its Origin, not without one', async () => {
    const before = await traces(shared.data);
    for (const origin of [...FOREIGN, undefined]) {
      const there = new Caller(shared.url, { ...shared.owner.headers, origin });
      const through = await notRefused(writes, (id) => call(there, id), '403 foreign-origin');
      expect(through, String(origin)).toEqual([]);
    }
    expect(await traces(shared.data)).toEqual(before);
  });

  it('changes nothing by what a form can send, whatever its Origin', async () => {
    const before = await traces(shared.data);
    const text = JSON.stringify({ role: 'owner' });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
    ])
      for (const path of ['/api/v1/invitations', '/api/v1/pipelines', '/api/v1/tokens']) {
        const { status } = await shared.owner.call('POST', path, text, { 'content-type': type || undefined });
        expect(status, `${type} ${path}`).toBe(415);
      }
    expect(await traces(shared.data)).toEqual(before);
  });

  it('opens no socket, and neither does a page without Origin', async () => {
    for (const origin of FOREIGN.slice(0, 4)) {
      const there = new Caller(shared.url, { ...shared.owner.headers, origin });
      expect(await connectError(there), origin).toBe('refused');
    }
    expect(await connectError(new Caller(shared.url, { ...shared.owner.headers, origin: undefined }))).toBe(
      'refused',
    );
  });

  it('gains nothing by a name that leads here: foreign host names are refused, by sockets too', async () => {
    const { port } = new URL(shared.url);
    const hosts = [
      'evil.example',
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      '127.0.0.1@evil.example',
      'x',
    ];
    for (const host of hosts) {
      expect(await statusAt(host, '/api/v1/me'), host).toBe(421);
      expect(await statusAt(host, '/in/p_mine/n_in', 'POST'), host).toBe(421);
      expect(await statusAt(host, '/metrics'), host).toBe(421);
      const socket = {
        extraHeaders: { ...(shared.owner.headers as Record<string, string>), host, origin: `http://${host}` },
      };
      expect(await connectError(shared.owner, socket), host).toBe('refused');
    }
  });
});

describe('a socket', () => {
  it('lets a viewer send no event of editors, and nobody those of the server', async () => {
    const viewer = await connected(shared.viewer);
    const before = await traces(shared.data);
    const may: readonly string[] = ROLE_PERMISSIONS.viewer;
    const mine = eventNames.filter((name) => eventSpec(name).from === 'client');
    const forbidden = mine.filter(
      (name) => !['session', 'public', ...may].includes(eventSpec(name).permission),
    );
    expect(forbidden).toContain('tap.open');
    for (const name of forbidden)
      for (const payload of [{ pipeline: RUNNING, streams: ['s_1'], tap: 'x' }, { pipeline: MINE }, {}, null])
        expect(await ask(viewer, name, payload), name).toMatchObject({ ok: false, code: 'not-allowed' });
    const heard: string[] = [];
    viewer.onAny((name) => heard.push(name));
    for (const name of eventNames.filter((name) => eventSpec(name).from === 'server'))
      viewer.emit(name, { pipeline: RUNNING, records: [], streams: [] });
    expect(await ask(viewer, 'view.close', { pipeline: MINE })).toEqual({ ok: true });
    expect(heard).toEqual([]);
    expect(await traces(shared.data)).toEqual(before);
    viewer.close();
  });

  it('of a token for one pipeline shows and opens no other', async () => {
    const { token } = await makeToken(shared.editor, [...ROLE_PERMISSIONS.editor], { pipeline: MINE });
    const socket = await connected(Caller.withToken(shared.url, token));
    for (const name of eventNames.filter((name) => eventSpec(name).from === 'client')) {
      const payload = { pipeline: RUNNING, streams: ['s_1'], tap: 'x' };
      expect(await ask(socket, name, payload), name).toMatchObject({ ok: false, code: 'not-allowed' });
    }
    expect(await ask(socket, 'view.open', { pipeline: MINE })).toEqual({ ok: true });
    socket.close();
  });

  it('loses a tap with the right to it, and all with the membership; a token of that member goes too', async () => {
    const guest = await join(shared.owner, 'editor', 'guest@example.org');
    const { account } = await guest.done<{ account: { id: string } }>('GET', '/api/v1/me');
    const { token } = await makeToken(guest, ['live.read']);
    const socket = await connected(guest);
    const byToken = await connected(Caller.withToken(shared.url, token));
    const watched = watch(guest, RUNNING);
    const streams = await streamsOf(RUNNING);
    const ended: unknown[] = [];
    let records = 0;
    socket.on('tap.ended', (message) => ended.push(message));
    socket.on('tap.records', (message: { records: unknown[] }, taken: () => void) => {
      records += message.records.length;
      taken();
    });
    await expect
      .poll(async () => (await ask(socket, 'tap.open', { pipeline: RUNNING, streams })).ok, {
        timeout: 60_000,
      })
      .toBe(true);
    await expect.poll(() => records, { timeout: 60_000 }).toBeGreaterThan(0);
    await expect.poll(() => watched.frames, { timeout: 60_000 }).toBeGreaterThan(0);

    await shared.owner.done('PATCH', `/api/v1/members/${account.id}`, { role: 'viewer' });
    await expect.poll(() => ended).toMatchObject([{ code: 'not-allowed' }]);
    const had = records;
    const frames = watched.frames;
    expect(await ask(socket, 'tap.open', { pipeline: RUNNING, streams })).toMatchObject({
      code: 'not-allowed',
    });
    // Numbers go on, which viewers may see; values do not.
    await expect.poll(() => watched.frames).toBeGreaterThan(frames + 3);
    expect(records).toBe(had);

    const gone = Promise.all([closed(socket), closed(byToken)]);
    await shared.owner.done('DELETE', `/api/v1/members/${account.id}`);
    await gone;
    watched.close();
    expect((await guest.call('GET', '/api/v1/me')).status).toBe(401);
    expect((await Caller.withToken(shared.url, token).call('GET', '/api/v1/me')).status).toBe(401);
    expect(await connectError(guest)).toBe('not-logged-in');
    const again = await shared.nobody.call('POST', '/api/v1/login', {
      email: 'guest@example.org',
      password: PASSWORD,
    });
    expect(again.status).toBe(401);
  });
});

async function streamsOf(pipeline: string): Promise<string[]> {
  const { files } = await shared.owner.done<{ files: Record<string, string> }>(
    'GET',
    `/api/v1/pipelines/${pipeline}/draft`,
  );
  return Object.keys(JSON.parse(files['pipeline.json'] as string).streams).slice(0, 1);
}

async function connected(by: Caller): Promise<Socket> {
  const socket = by.socket({ reconnection: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('hello', () => resolve());
    socket.once('connect_error', reject);
  });
  return socket;
}

/** The code with which it is not admitted; `refused`: before anybody asked who it is. */
function connectError(by: Caller, options: Parameters<Caller['socket']>[0] = {}): Promise<string> {
  const socket = by.socket({ reconnection: false, ...options });
  return new Promise<string>((resolve) => {
    socket.once('hello', () => resolve('connected'));
    socket.once('connect_error', (error: Error & { data?: { code: string } }) =>
      resolve(error.data?.code ?? 'refused'),
    );
  }).finally(() => socket.close());
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => void socket.once('disconnect', () => resolve()));

/** `fetch` sets Host itself. */
function statusAt(host: string, path: string, method = 'GET'): Promise<number | undefined> {
  const { cookie } = shared.owner.headers as { cookie: string };
  return new Promise((resolve, reject) => {
    http
      .request(
        `${shared.url}${path}`,
        { method, headers: { host, cookie, origin: `http://${host}` } },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      )
      .on('error', reject)
      .end();
  });
}
