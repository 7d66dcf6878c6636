import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { DEFAULT_MAX_BODY } from '@millrace/protocol/api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountActor, silent, startTestApp, type TestApp } from '../testing/test-app.ts';
import { createApp } from './create-app.ts';
import { decodeCursor } from './cursor.ts';
import { Problem, retryLater } from './problem.ts';
import { site } from './site.ts';

let app: TestApp;
let reached: unknown[] = [];

beforeAll(async () => {
  app = await startTestApp([
    (bind) =>
      bind('account.login', ({ body }) => {
        reached.push(body);
        throw new Error('secret detail of a bug');
      }),
  ]);
});
beforeEach(() => {
  reached = [];
});
afterAll(() => app.close());

async function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  const answer = await fetch(`${app.url}/api/v1/login`, {
    method: 'POST',
    headers: { origin: app.url, 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as { code: string; detail: string } };
}

describe('a body', () => {
  test('larger than its route allows is refused, also when it is small only on the way', async () => {
    const large = JSON.stringify({ email: 'a', password: 'x'.repeat(DEFAULT_MAX_BODY) });
    expect((await post(large)).body.code).toBe('too-large');
    const bomb = await post(new Uint8Array(gzipSync(large)), { 'content-encoding': 'gzip' });
    expect(bomb.status).toBe(413);
    expect(reached).toEqual([]);
  });

  test.each([
    ['{"email":', {}, 400, 'bad-json'],
    ['"text"', {}, 400, 'bad-json'],
    ['[]', {}, 400, 'invalid'],
    ['{"email":7,"password":{}}', {}, 400, 'invalid'],
    ['{"email":"a\\u0000","password":"x"}', {}, 400, 'invalid'],
    ['email=a&password=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'not-json'],
    ['{}', { 'content-encoding': 'nonsense' }, 415, 'unsupported-encoding'],
    [`${'['.repeat(30_000)}`, {}, 400, 'bad-json'],
  ])('%.40s %j is refused with %i %s', async (body, headers, status, code) => {
    const answer = await post(body, headers as Record<string, string>);
    expect(answer.status).toBe(status);
    expect(answer.body.code).toBe(code);
    expect(reached).toEqual([]);
  });

  test('brings no fields that the schema does not name', async () => {
    await post('{"email":"a@b.c","password":"x","__proto__":{"admin":true},"admin":true}');
    expect(reached).toEqual([{ email: 'a@b.c', password: 'x' }]);
    expect((reached[0] as { admin?: boolean }).admin).toBeUndefined();
  });
});

describe('an address, a query and a cursor', () => {
  test('bring nothing to the database that it chokes on', async () => {
    let seen: unknown;
    const own = await startTestApp([
      (bind) => {
        bind('members.remove', ({ params }) => {
          seen = params;
        });
        bind('audit.list', ({ query }) => {
          seen = decodeCursor(query.cursor, ['number']);
          return { items: [], next: null };
        });
      },
    ]);
    own.act(accountActor('owner'));
    const at = (key: string) => `/api/v1/audit?cursor=${Buffer.from(key).toString('base64url')}`;
    const status = async (method: string, path: string) => (await own.call(method, path)).status;
    for (const path of ['/api/v1/audit?target=a%00', '/api/v1/audit?action=%00&action=b'])
      expect(await status('GET', path), path).toBe(400);
    expect(await status('DELETE', '/api/v1/members/a%00b')).toBe(400);
    for (const key of ['[1e300]', '[1e999]', '[0.5]', '["1"]', '[]', '{"0":1}', '[1,2]', 'x'])
      expect(await status('GET', at(key)), key).toBe(400);
    expect(() => decodeCursor(Buffer.from('["\\u0000"]').toString('base64url'), ['string'])).toThrow(Problem);
    expect(seen).toBe(undefined);
    expect(await status('GET', at('[7]'))).toBe(200);
    expect(seen).toEqual([7]);
    await own.close();
  });
});

describe('what fails inside', () => {
  test('is told without any detail, with the id the log has', async () => {
    const { status, body } = await post('{"email":"a@b.c","password":"x"}');
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('secret detail');
    expect(body).toMatchObject({ code: 'internal', requestId: expect.any(String) });
  });

  test('a path that cannot be decoded is a bad request', async () => {
    expect((await app.call('GET', '/api/v1/members/%E0%A4%A')).status).toBe(400);
  });

  test('bytes that are no HTTP at all end their connection and nothing else', async () => {
    const socket = net.connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.end('\u0000\u0001 nonsense\r\n\r\n');
    await new Promise((resolve) => socket.resume().once('close', resolve));
    expect((await app.call('GET', '/api/v1/nothing')).status).toBe(404);
  });
});

describe('while the database is away', () => {
  test('calls are refused at once with Retry-After, before anybody asks who it is; pages still come', async () => {
    let asked = 0;
    const { express } = createApp({
      log: silent,
      site: site({ host: '127.0.0.1', publicUrl: undefined }),
      authenticate: async () => {
        asked++;
        throw new Error('the database would be asked');
      },
      available: () => retryLater(503, 'database-away', 'The database does not answer.', 2),
      features: [(bind) => bind('instance.page', () => '<p>page</p>')],
    });
    const server = express.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as net.AddressInfo;
    const refused = await fetch(`http://127.0.0.1:${port}/api/v1/me`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    expect(asked).toBe(0);
    server.closeAllConnections();
    server.close();
  });
});

describe('the address of a visitor', () => {
  async function addressSeen(publicUrl: URL | undefined): Promise<string | undefined> {
    let seen: string | undefined;
    const { express } = createApp({
      log: silent,
      site: site({ host: '127.0.0.1', publicUrl }),
      authenticate: async () => {
        throw new Error('nobody is asked on a page');
      },
      features: [
        (bind) =>
          bind('instance.page', ({ request }) => {
            seen = request.ip;
            return '';
          }),
      ],
    });
    const server = express.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as net.AddressInfo;
    await fetch(`http://127.0.0.1:${port}/`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    server.closeAllConnections();
    server.close();
    return seen;
  }

  test('is what a proxy on this machine says only where there is a public address', async () => {
    expect(await addressSeen(undefined)).toMatch(/127\.0\.0\.1$/);
    expect(await addressSeen(new URL('https://mill.example.org'))).toBe('203.0.113.9');
  });
});
