/** Hostile input from people who may send it: paths, names, archives, SQL, cursors, bodies of any size. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { DEFAULT_MAX_BODY, type RouteId, routeIds, routeSpec } from '@millrace/protocol/api';
import { unzipSync, type Zippable, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../support/folders.ts';
import { inParallel } from '../support/posting.ts';
import { type Caller, deploymentOf, publishAndDeploy } from '../support/served.ts';
import { lookInto } from '../support/served-database.ts';
import { sharedServer, traces } from '../support/shared-server.ts';

const shared = sharedServer();
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const blank = '{"format":1,"name":"blank","nodes":{},"streams":{}}';

describe('texts that are meant for somebody else', () => {
  const TEXTS = [
    ...['%00', 'a%00b', '%ED%A0%80', '%5C..%5C', '..%2f..%2fetc%2fpasswd', '%2e%2e', '%F0%9F%98%80'],
    ...[
      "'%3Bdrop table millrace.accounts%3B--",
      '-1',
      '0.5',
      '99999999999999999999',
      '1e300',
      '%25s%24%7B7%7D',
    ],
  ];
  const KEYS = [
    ...['["\\u0000"]', '["\\ud800"]', '[1e300]', '[1e999]', '[-1.5]', '[9007199254740991]', '{}', 'x'],
    ...[
      '["x","\\u0000"]',
      '["updated","desc","x","y"]',
      '["updated","desc","9","\\u0000"]',
      `["' or 1=1--"]`,
    ],
  ];
  const cursors = KEYS.map((key) => Buffer.from(key).toString('base64url'));
  /** Each may be called as often as one likes without anybody being logged out. */
  const tried = routeIds.filter((id) => !/^(account|sessions)\.(logout|end|leave)/.test(id));

  function addresses(id: RouteId): string[] {
    const { path, query } = routeSpec(id);
    const known = path.replace(/:pipeline/, 'p_thismachine');
    const fields = Object.keys(query?.shape ?? {});
    return [
      ...TEXTS.flatMap((text) => [path, known].map((place) => place.replace(/[:*]\w+/g, text))),
      ...fields.flatMap((field) =>
        [...TEXTS, ...(field === 'cursor' ? cursors : [])].map(
          (text) => `${known.replace(/[:*]\w+/g, 'x')}?${field}=${text}`,
        ),
      ),
    ];
  }

  it('in addresses, queries and cursors are answered, and never by a fault of the server', async () => {
    const faults: string[] = [];
    const all = tried.flatMap((id) => [...new Set(addresses(id))].map((address) => ({ id, address })));
    await inParallel(all, 8, async ({ id, address }) => {
      const { method, body, input } = routeSpec(id);
      const sent = body ? {} : input ? 'x' : undefined;
      const headers = { 'content-type': 'application/json', 'if-match': '"1"' };
      const { status, code } = await shared.owner.call(method.toUpperCase(), address, sent, headers);
      if (status >= 500 && code !== 'not-running') faults.push(`${id} ${address} ${status} ${code}`);
    });
    expect(faults).toEqual([]);
    expect((await lookInto(shared.data, 'select count(*)::int as n from millrace.accounts'))[0]).toEqual({
      n: 3,
    });
  });

  it.each([
    "x'); drop table millrace.accounts; --",
    '../../../etc/passwd',
    '<script>alert(1)</script>',
    '%s {{7*7}} \\u0000 "\'`',
    'evil\u202egpj.exe',
  ])('as a name are a name: %s', async (name) => {
    const { id } = await shared.editor.done<{ id: string }>('POST', '/api/v1/pipelines', { name });
    const found = await shared.editor.done<{ items: { id: string; name: string }[] }>(
      'GET',
      `/api/v1/pipelines?q=${encodeURIComponent(name)}`,
    );
    expect(found.items).toMatchObject([{ id, name }]);
    const zip = await shared.editor.call('GET', `/api/v1/pipelines/${id}/export`);
    expect(zip.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z0-9-_]+\.zip"$/);
    expect((await shared.editor.call('GET', '/api/v1/me')).status).toBe(200);
  });

  it('as names of tables and columns are quoted, and the tables of the product are nobody’s', async () => {
    const table = `x"; drop table millrace.accounts; --`;
    const column = `c" int); drop table millrace.accounts; --`;
    const sink = (config: object) => ({ type: 'sink/postgres', name: 'rows', config });
    const files = (id: string, config: object) => ({
      'pipeline.json': JSON.stringify({
        format: 1,
        id,
        name: id,
        nodes: {
          n_in: { type: 'injector/generator', name: 'in', config: { value: '{ n }', rate: 10, count: 3 } },
          n_out: sink(config),
        },
        streams: { s_1: { from: ['n_in', 'out'], to: ['n_out', 'in'] } },
      }),
    });
    const quoted = `"${table.replaceAll('"', '""')}"`;
    const columns = { [column]: { from: 'value.n', type: 'bigint' } };
    await shared.editor.done('POST', '/api/v1/pipelines', {
      files: files('p_quoted', { table: quoted, columns }),
    });
    await publishAndDeploy(shared.editor, 'p_quoted');
    await expect
      .poll(async () => (await deploymentOf(shared.editor, 'p_quoted')).observed, { timeout: 60_000 })
      .toMatchObject({ state: 'ended' });
    const [row] = await lookInto(shared.data, `select count(*)::int as n from data.${quoted}`);
    expect(row).toEqual({ n: 3 });
    for (const [i, name] of [
      'millrace.accounts',
      '"millrace"."accounts"',
      '"Millrace".accounts',
      'MILLRACE.accounts',
      'pg_catalog.pg_class',
      'public.x; drop table millrace.accounts',
      'data.x.y',
    ].entries()) {
      const id = `p_ours_${i}`;
      const config = { table: name, columns: { n: { from: 'value.n', type: 'bigint' } } };
      await shared.editor.done('POST', '/api/v1/pipelines', { files: files(id, config) });
      const { issues } = await shared.editor.done<{ issues: { message: string }[] }>(
        'GET',
        `/api/v1/pipelines/${id}/draft`,
      );
      expect(issues.map(({ message }) => message).join(), name).toMatch(
        /lies in the schema|is not of the form/,
      );
    }
    expect((await lookInto(shared.data, 'select count(*)::int as n from millrace.accounts'))[0]).toEqual({
      n: 3,
    });
  });
});

describe('paths', () => {
  it('of files lead nowhere but into the workspace’s folder, not even through a link', async () => {
    const outside = tempFolder('outside');
    writeFileSync(join(outside, 'secret.txt'), 'secret');
    const folder = join(shared.data, 'files/w_default');
    mkdirSync(folder, { recursive: true });
    symlinkSync(outside, join(folder, 'link'));
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'link.txt'));
    const dataBefore = readdirSync(shared.data).sort();
    for (const path of [
      ...[
        '..%2f..%2fserver.json',
        '%2e%2e/%2e%2e/server.json',
        '..%2f..%2f..%2f..%2fetc%2fpasswd',
        '%2fetc%2fpasswd',
      ],
      ...[
        '..%5c..%5cx',
        'a%00b',
        '.hidden',
        'a/.hidden',
        'a//b',
        'link/secret.txt',
        'link.txt',
        'link/new.txt',
      ],
      ...['C:%5cx', `${'a/'.repeat(40)}x`, 'x'.repeat(300)],
    ]) {
      const read = await shared.editor.call<string>('GET', `/api/v1/files/${path}`);
      expect([400, 404, 409], `GET ${path}`).toContain(read.status);
      expect(JSON.stringify(read.body)).not.toMatch(/"secret"|root:/);
      const written = await shared.editor.call('PUT', `/api/v1/files/${path}`, 'not to be');
      expect([400, 404, 409], `PUT ${path}`).toContain(written.status);
      // A link itself may go: what it leads to stays.
      const deleted = await shared.editor.call('DELETE', `/api/v1/files/${path}`);
      if (path !== 'link.txt') expect([400, 404, 409], `DELETE ${path}`).toContain(deleted.status);
    }
    expect(readdirSync(outside)).toEqual(['secret.txt']);
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
    expect(readdirSync(shared.data).sort()).toEqual(dataBefore);
    expect(existsSync(join(folder, 'a'))).toBe(false);
  });

  const SYMLINK = { os: 3, attrs: 0o120777 << 16 } as const;
  it.each<[string, Zippable | Uint8Array]>([
    ['leave the folder', { 'pipeline.json': bytes(blank), '../../evil.ts': bytes('x') }],
    ['leave it deeper down', { 'pipeline.json': bytes(blank), 'nodes/../../../evil.ts': bytes('x') }],
    ['are absolute', { 'pipeline.json': bytes(blank), '/etc/cron.d/evil': bytes('x') }],
    ['have backslashes', { 'pipeline.json': bytes(blank), 'nodes\\..\\..\\evil.ts': bytes('x') }],
    ['have a drive', { 'pipeline.json': bytes(blank), 'C:evil.ts': bytes('x') }],
    ['are links', { 'pipeline.json': bytes(blank), 'nodes/evil.ts': [bytes('/etc/passwd'), SYMLINK] }],
    [
      'are one but for their case',
      { 'pipeline.json': bytes(blank), 'nodes/a.ts': bytes(''), 'nodes/A.ts': bytes('') },
    ],
    ['are of no pipeline', { 'pipeline.json': bytes(blank), '.git/config': bytes('x') }],
    [
      'are too many',
      Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`nodes/n${i}.ts`, bytes('')])),
    ],
    ['hide a bomb', { 'pipeline.json': bytes(blank), 'nodes/bomb.ts': new Uint8Array(60 << 20) }],
    ['are none', bytes('no archive at all')],
    ['are cut off', zipSync({ 'pipeline.json': bytes(blank) }).subarray(0, 60)],
  ])('in an archive that %s are refused, and nothing is made', async (_what, content) => {
    const zip = content instanceof Uint8Array ? content : zipSync(content);
    const before = await traces(shared.data);
    for (const apply of ['', '?apply=true'])
      for (const place of ['import', 'p_thismachine/import']) {
        const { status } = await shared.editor.call(
          'POST',
          `/api/v1/pipelines/${place}${apply}`,
          new Uint8Array(zip),
          { 'content-type': 'application/zip', 'if-match': '"1"' },
        );
        expect([400, 403, 409, 413, 415, 422], `${place}${apply}`).toContain(status);
      }
    expect(await traces(shared.data)).toEqual(before);
    expect(existsSync(join(shared.data, '../evil.ts'))).toBe(false);
  });

  it('in a draft are refused alike', async () => {
    for (const path of [
      '../x.ts',
      '/x.ts',
      'nodes/../../x.ts',
      'nodes\\x.ts',
      'constructor',
      'nodes/\0.ts',
      '',
    ]) {
      const files = { 'pipeline.json': blank, [path]: 'x' };
      const { status } = await shared.editor.call('POST', '/api/v1/pipelines', { files });
      expect([400, 422], path).toContain(status);
    }
  });

  it('control: a sound archive is taken, and comes back as it was', async () => {
    const zip = zipSync({ 'pipeline.json': bytes(blank) });
    const { pipeline } = await shared.editor.done<{ pipeline: string }>(
      'POST',
      '/api/v1/pipelines/import?apply=true',
      new Uint8Array(zip),
      { 'content-type': 'application/zip' },
    );
    const response = await fetch(`${shared.url}/api/v1/pipelines/${pipeline}/export`, {
      headers: { cookie: String(shared.editor.headers.cookie) },
    });
    expect(Object.keys(unzipSync(new Uint8Array(await response.arrayBuffer())))).toContain('pipeline.json');
  });
});

describe('bodies that are too large', () => {
  it('are refused by every route that takes JSON, whether their length is told or not', async () => {
    const before = await traces(shared.data);
    const known: string[] = [];
    for (const id of routeIds) {
      const { method, path, body, maxBody = DEFAULT_MAX_BODY, permission } = routeSpec(id);
      if (!body || maxBody > 1 << 20) continue;
      const address = path.replace(/:pipeline/, 'p_thismachine').replace(/[:*]\w+/g, 'x');
      const text = JSON.stringify({ x: 'x'.repeat(maxBody) });
      const headers = { 'content-type': 'application/json', 'if-match': '"1"' };
      const told = await shared.owner.call(method.toUpperCase(), address, text, headers);
      const untold = await sendChunks(shared.owner, method, address, text, maxBody * 2);
      if (told.status !== 413 || untold !== 413) known.push(`${id} ${permission} ${told.status} ${untold}`);
    }
    expect(known).toEqual([]);
    expect(await traces(shared.data)).toEqual(before);
  });

  it('are refused as archives and drafts, however deep', async () => {
    const large = new Uint8Array(34 << 20).fill(0x20);
    const json = { 'content-type': 'application/json' };
    for (const [method, path, type] of [
      ['POST', '/api/v1/pipelines/import', 'application/zip'],
      ['POST', '/api/v1/pipelines', 'application/json'],
      ['PUT', '/api/v1/pipelines/p_thismachine/draft', 'application/json'],
    ] as const)
      expect(
        await sendChunks(shared.owner, method, path, Buffer.from(large).toString('latin1'), large.length, {
          'content-type': type,
        }),
        path,
      ).toBe(413);
    expect((await shared.owner.call('POST', '/api/v1/pipelines', '['.repeat(1 << 20), json)).status).toBe(
      400,
    );
  });

  it('end a socket that sends them, and nothing else', async () => {
    const socket = shared.owner.socket({ reconnection: false });
    await new Promise<void>((resolve) => void socket.once('hello', () => resolve()));
    const gone = new Promise<string>((resolve) => void socket.once('disconnect', resolve));
    socket.emit('view.open', { pipeline: 'p_thismachine', padding: 'x'.repeat(2 << 20) });
    expect(await gone).toMatch(/transport/);
    expect((await shared.owner.call('GET', '/healthz')).status).toBe(200);
  });
});

/** Sends a body of unknown length, in pieces; gives the status, or 413 where the server hung up on the rest of it. */
function sendChunks(
  by: Caller,
  method: string,
  path: string,
  piece: string,
  length: number,
  more: Record<string, string> = { 'content-type': 'application/json' },
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const { cookie } = by.headers as { cookie: string };
    const headers = { ...more, cookie, origin: by.url, 'if-match': '"1"', 'transfer-encoding': 'chunked' };
    const request = http.request(`${by.url}${path}`, { method: method.toUpperCase(), headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
      request.destroy();
    });
    request.on('error', () => resolve(undefined));
    for (let sent = 0; sent < length; sent += piece.length) request.write(piece);
    request.end();
  });
}
