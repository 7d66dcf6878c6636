import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountActor, startTestApp, type TestApp } from '../testing/test-app.ts';
import { filesFeature } from './files-feature.ts';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'millrace-files-'));
const folder = path.join(dataDir, 'files/w_default');
const LIMIT = 1 << 20;
let app: TestApp;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(dataDir, 'secret.key'), 'the key');
  app = await startTestApp([filesFeature({ dataDir, limit: LIMIT })]);
  app.act(accountActor('editor'));
});
afterAll(async () => {
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Sends the path as it is written; `fetch` would tidy it. */
function raw(
  method: string,
  where: string,
  body?: string | Readable,
): Promise<{ status: number; text: string }> {
  const { port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const request = http.request(
      { port, host: '127.0.0.1', method, path: where, headers: { origin: app.url, connection: 'close' } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text })).on('error', reject);
      },
    );
    request.on('error', reject);
    if (body instanceof Readable) body.pipe(request);
    else request.end(method === 'PUT' ? body : undefined);
  });
}

const at = (name: string): string => `/api/v1/files/${name}`;
const listed = async () =>
  ((await app.call('GET', '/api/v1/files')).body as { items: { path: string }[] }).items.map((e) => e.path);

describe('files of a workspace', () => {
  test('are uploaded, listed, downloaded whole and deleted', async () => {
    const put = await raw('PUT', at('in/day%201.jsonl'), '{"a":1}\n');
    expect([put.status, JSON.parse(put.text)]).toMatchObject([200, { path: 'in/day 1.jsonl', size: 8 }]);
    await raw('PUT', at('empty'), '');
    expect(readFileSync(path.join(folder, 'in/day 1.jsonl'), 'utf8')).toBe('{"a":1}\n');
    expect(await listed()).toEqual(['empty', 'in/day 1.jsonl']);
    const got = await app.call('GET', at('in/day%201.jsonl'));
    expect([got.status, got.body]).toEqual([200, '{"a":1}\n']);
    expect(got.headers.get('content-disposition')).toBe('attachment');
    expect(got.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await app.call('GET', at('empty'))).body).toBe('');
    await raw('PUT', at('in/day%201.jsonl'), 'replaced');
    expect((await app.call('GET', at('in/day%201.jsonl'))).body).toBe('replaced');
    expect((await app.call('DELETE', at('in/day%201.jsonl'))).status).toBe(204);
    expect((await app.call('DELETE', at('in/day%201.jsonl'))).status).toBe(404);
    expect((await app.call('GET', at('in/day%201.jsonl'))).status).toBe(404);
    expect(await listed()).toEqual(['empty']);
  });

  test.each([
    ...['../../secret.key', '..%2f..%2fsecret.key', '%2e%2e/%2e%2e/secret.key', 'a/../../../secret.key'],
    ...['..%5c..%5csecret.key', '%2fetc%2fpasswd', '/etc/passwd', 'a//b', '.hidden', 'a/.part', 'a%00b'],
    ...['%00', '.', '..', 'a/.', 'x%0ay', `${'a/'.repeat(17)}b`, 'y'.repeat(256), '%', '%ff'],
  ])('the path %j names nothing: not read, not written, not deleted', async (name) => {
    const before = readdirSync(dataDir, { recursive: true });
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await raw(method, at(name), 'x');
      expect([method, answer.status]).toEqual([method, expect.toBeOneOf([400, 404])]);
      expect(answer.text).not.toContain('the key');
    }
    expect(readdirSync(dataDir, { recursive: true })).toEqual(before);
  });

  test('a link that leads out is neither followed nor written through', async () => {
    symlinkSync(dataDir, path.join(folder, 'out'));
    symlinkSync(path.join(dataDir, 'secret.key'), path.join(folder, 'key'));
    symlinkSync(path.join(dataDir, 'new'), path.join(folder, 'to-new'));
    for (const name of ['out/secret.key', 'key', 'to-new', 'out/deep/er/new'])
      for (const method of ['GET', 'PUT'])
        expect([name, method, (await raw(method, at(name), 'x')).status]).toEqual([
          ...[name, method, expect.toBeOneOf(name.includes('deep') ? [404, 409] : [409])],
        ]);
    expect((await raw('DELETE', at('out/secret.key'))).status).toBe(409);
    expect(readFileSync(path.join(dataDir, 'secret.key'), 'utf8')).toBe('the key');
    expect(readdirSync(dataDir).sort()).toEqual(['files', 'secret.key']);
    expect(await listed()).toEqual(['empty']);
    for (const name of ['out', 'key', 'to-new']) rmSync(path.join(folder, name));
  });

  test('an upload over the limit is refused, told by its length or not, and leaves nothing', async () => {
    const told = await raw('PUT', at('big'), 'x'.repeat(LIMIT + 1)).catch(() => ({ status: 413 }));
    expect(told.status).toBe(413);
    const chunks = Array.from({ length: 40 }, () => Buffer.alloc(64 << 10));
    const untold = await raw('PUT', at('big'), Readable.from(chunks)).catch(() => ({ status: 413 }));
    expect(untold.status).toBe(413);
    expect((await raw('PUT', at('fits'), 'x'.repeat(LIMIT))).status).toBe(200);
    expect(readdirSync(folder).sort()).toEqual(['empty', 'fits', 'in']);
  });

  test('a full disk is told, and leaves nothing', async ({ skip }) => {
    const disk = path.join(dataDir, 'files/w_full');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', disk], { stdio: 'ignore' });
    } catch {
      skip('this user may not mount a small file system');
    }
    try {
      app.act({ ...accountActor('editor'), workspace: 'w_full' });
      const answer = await raw(
        'PUT',
        at('big'),
        Readable.from([Buffer.alloc(200_000), Buffer.alloc(200_000)]),
      );
      expect([answer.status, JSON.parse(answer.text).code]).toEqual([507, 'disk-full']);
      expect(readdirSync(disk)).toEqual([]);
    } finally {
      app.act(accountActor('editor'));
      execFileSync('umount', ['-l', disk]);
      rmSync(disk, { recursive: true });
    }
  });

  test('an upload that breaks off leaves the file as it was', async () => {
    await raw('PUT', at('kept'), 'before');
    const broken = new Readable({ read() {} });
    broken.push('half');
    const { port } = new URL(app.url);
    const request = http.request({
      ...{ port, host: '127.0.0.1', method: 'PUT', path: at('kept') },
      headers: { origin: app.url },
    });
    request.on('error', () => {});
    broken.pipe(request);
    await expect.poll(() => readdirSync(folder).some((name) => name.endsWith('.part'))).toBe(true);
    request.destroy();
    await expect.poll(() => readdirSync(folder).some((name) => name.endsWith('.part'))).toBe(false);
    expect(readFileSync(path.join(folder, 'kept'), 'utf8')).toBe('before');
  });

  test('a file that a running sink holds is not touched', async () => {
    writeFileSync(path.join(folder, '.kept.lock'), '{}');
    expect((await raw('PUT', at('kept'), 'x')).status).toBe(409);
    expect((await raw('DELETE', at('kept'))).status).toBe(409);
    expect((await app.call('GET', at('kept'))).body).toBe('before');
    rmSync(path.join(folder, '.kept.lock'));
  });

  test('folders are no files', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect([method, (await raw(method, at('in'), 'x')).status]).toEqual([method, 409]);
    expect((await raw('PUT', at('kept/below'), 'x')).status).toBe(409);
  });

  test('a viewer sees no data: neither lists, reads, writes nor deletes', async () => {
    app.act(accountActor('viewer'));
    for (const [method, where] of [
      ['GET', '/api/v1/files'],
      ['GET', at('kept')],
      ['PUT', at('kept')],
      ['DELETE', at('kept')],
    ] as const)
      expect([method, (await raw(method, where, 'x')).status]).toEqual([method, 403]);
    app.act(accountActor('editor'));
  });
});
