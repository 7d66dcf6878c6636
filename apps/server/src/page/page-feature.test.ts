import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { testFolder } from '../testing/test-folder.ts';
import { pageBuild } from './page-build.ts';
import { pageFeature } from './page-feature.ts';

const SCRIPT = `${'void 0;'.repeat(400)}`;
const folder = testFolder();
let app: TestApp;

beforeAll(async () => {
  const assets = join(folder.path, 'assets');
  mkdirSync(assets);
  writeFileSync(
    join(folder.path, 'index.html'),
    '<html data-theme="system"><meta property="csp-nonce" nonce="__CSP_NONCE__"></html>',
  );
  writeFileSync(join(folder.path, 'secret.js'), 'no');
  writeFileSync(join(assets, 'main-AbCd_123.js'), SCRIPT);
  writeFileSync(join(assets, 'main-AbCd_123.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(assets, 'mark.svg'), '<svg/>');
  app = await startTestApp([pageFeature(folder.path)]);
});
afterAll(async () => {
  await app.close();
  await folder.remove();
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(app.url + path, { headers });

describe('the document', () => {
  test.each(['/', '/sign-in', '/setup', '/invite', '/password', '/w/w_default/p/p_one', '/r/1'])(
    'is the same at %s',
    async (path) => {
      const answer = await get(path);
      expect(answer.headers.get('content-type')).toContain('text/html');
      expect(await answer.text()).toContain('data-theme="system"');
    },
  );

  test('is what a person gets at an address of nothing; a program gets a problem', async () => {
    const person = await get('/nothing/here', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([person.status, person.headers.get('content-type')]).toEqual([
      404,
      expect.stringContaining('text/html'),
    ]);
    expect(await person.text()).toContain('data-theme="system"');
    for (const [path, accept] of [
      ['/nothing', '*/*'],
      ['/nothing', 'application/json'],
      ['/api/v1/nothing', 'text/html'],
      ['/in/p_one/n_one', 'text/html'],
    ] as const) {
      const program = await get(path, { accept });
      expect(program.headers.get('content-type'), path).toContain('application/problem+json');
      expect(program.status).toBeGreaterThanOrEqual(404);
    }
  });

  test('has the theme of the cookie, and of no other word in it', async () => {
    const themed = async (cookie: string) => (await get('/', { cookie })).text();
    expect(await themed('a=b; millrace_theme=dark')).toContain('data-theme="dark"');
    expect(await themed('millrace_theme="><script>')).toContain('data-theme="system"');
  });

  test('carries the name of its build, which is another when what it loads is', async () => {
    const build = pageBuild(folder.path);
    expect(await (await get('/')).text()).toContain(`data-build="${build}"`);
    const next = testFolder();
    writeFileSync(join(next.path, 'index.html'), '<html data-theme="system">main-Other.js</html>');
    expect(pageBuild(next.path)).not.toBe(build);
    await next.remove();
  });

  test('allows styles with a nonce that is another each time, and no inline script', async () => {
    const [one, two] = await Promise.all([get('/'), get('/')]);
    const nonce = /nonce="([^"]+)"/.exec(await one.text())?.[1];
    const policy = one.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`style-src-elem 'self' 'nonce-${nonce}'`);
    expect(policy).toMatch(/script-src 'self';/);
    expect(await two.text()).not.toContain(String(nonce));
  });
});

describe('assets', () => {
  test('with a hash are kept for ever and come compressed to who takes it', async () => {
    const { default: http } = await import('node:http');
    const answer = await new Promise<import('node:http').IncomingMessage>((resolve) =>
      http.get(`${app.url}/assets/main-AbCd_123.js`, { headers: { 'accept-encoding': 'gzip, br' } }, resolve),
    );
    const bytes = await answer.toArray();
    expect(answer.headers['content-encoding']).toBe('br');
    expect(answer.headers['cache-control']).toContain('immutable');
    expect(answer.headers['content-type']).toContain('text/javascript');
    expect(brotliDecompressSync(Buffer.concat(bytes)).toString()).toBe(SCRIPT);
    const plain = await get('/assets/main-AbCd_123.js', { 'accept-encoding': 'br;q=0' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe(SCRIPT);
  });

  test('without a hash are asked for again', async () => {
    expect((await get('/assets/mark.svg')).headers.get('cache-control')).not.toContain('immutable');
  });

  test.each(['nothing.js', '..%2fsecret.js', '%2e%2e%2fsecret.js', 'main-AbCd_123.js.br'])(
    'no name leads elsewhere: %s',
    async (name) => {
      expect((await get(`/assets/${name}`)).status).toBe(404);
    },
  );
});

test('a page that is not built says what to do', async () => {
  const bare = await startTestApp([pageFeature(join(folder.path, 'nowhere'))]);
  const answer = await fetch(`${bare.url}/`);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain('npm run build');
  await bare.close();
});
