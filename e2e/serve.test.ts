/** The server as people start it: a process of its own, killed and started again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tempFolder } from './support/folders.ts';
import { millrace, startMillrace } from './support/millrace.ts';
import { PASSWORD, serve } from './support/served.ts';

const post = (url: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const owner = { MILLRACE_OWNER_EMAIL: 'me@example.org', MILLRACE_OWNER_PASSWORD: PASSWORD };
const login = (url: string, password = PASSWORD) =>
  post(url, '/login', { email: 'me@example.org', password });

describe('npm start', () => {
  it('becomes the server, in the process it was started as', async () => {
    const data = tempFolder('serve');
    const program = fileURLToPath(new URL('../scripts/start.mjs', import.meta.url));
    const running = startMillrace(['--data', data], { program, env: owner });
    const url = (await running.printed(/Millrace is at (\S+)/)).split(' ').at(-1)!;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(JSON.parse(readFileSync(join(data, 'server.json'), 'utf8')).pid).toBe(running.pid);
    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });
});

describe('millrace serve', () => {
  it('makes the owner from the environment, outlives kill -9, and stops in order', async () => {
    const data = tempFolder('serve');
    const first = await serve(data, { env: owner });
    const cookie = (await login(first.url)).headers.get('set-cookie')!.split(';')[0]!;
    first.kill('SIGKILL');
    await first.ended;
    const second = await serve(data);
    const me = await fetch(`${second.url}/api/v1/me`, { headers: { cookie } });
    expect(me.status).toBe(200);
    second.kill('SIGINT');
    const { code, stdout, stderr } = await second.ended;
    expect(code, stderr).toBe(0);
    expect(stdout).not.toContain('setup#');
  });

  it('says clearly that the folder is in use, that a port is taken, and takes the next where none was asked for', async () => {
    const data = tempFolder('serve');
    const first = await serve(data, { env: owner });
    const port = new URL(first.url).port;
    const sameFolder = await millrace(['serve', '--data', data]);
    expect(sameFolder.code).toBe(3);
    expect(sameFolder.stderr).toContain(`is in use by pid ${first.pid}`);
    const samePort = await millrace(['serve', '--data', tempFolder('serve'), '--port', port]);
    expect(samePort.code).toBe(3);
    expect(samePort.stderr).toContain(`Port ${port} on 127.0.0.1 is taken`);
    const beside = await serve(tempFolder('serve'), { env: owner });
    expect(new URL(beside.url).port).not.toBe(port);
    for (const running of [first, beside]) running.kill('SIGTERM');
    await Promise.all([first.ended, beside.ended]);
  });

  it('links of the command line work beside the running server, and are made for a stopped one too', async () => {
    const data = tempFolder('serve');
    const server = await serve(data, { env: owner });
    const ownerLink = await millrace(['owner-link', '--data', data]);
    expect(ownerLink.stdout).toContain(`${server.url}/setup#`);
    const reset = await millrace(['reset-password', 'Me@example.org', '--data', data]);
    const secret = reset.stdout.trim().split('#')[1];
    expect(
      (await post(server.url, '/password-reset', { secret, password: 'another one it is' })).status,
    ).toBe(204);
    expect((await login(server.url)).status).toBe(401);
    expect((await login(server.url, 'another one it is')).status).toBe(200);
    expect((await millrace(['reset-password', 'no@example.org', '--data', data])).code).toBe(3);
    server.kill('SIGTERM');
    await server.ended;
    const stopped = await millrace(['owner-link', '--data', data]);
    const made = stopped.stdout.trim().split('#')[1];
    const again = await serve(data);
    const body = { secret: made, email: 'two@example.org', password: PASSWORD };
    expect((await post(again.url, '/setup', body)).status).toBe(201);
    again.kill('SIGTERM');
    await again.ended;
  });

  it('keeps secrets out of its log, however much it logs', async () => {
    const data = tempFolder('serve');
    const server = await serve(data, { env: { ...owner, MILLRACE_LOG: 'debug' } });
    const answer = await login(server.url);
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    await post(server.url, '/tokens', { name: 'x', scopes: ['graph.read'] }, { cookie });
    server.kill('SIGTERM');
    await server.ended;
    const log = readFileSync(join(data, 'server.log'), 'utf8');
    expect(log).toContain('account.login');
    expect(log).not.toContain(PASSWORD);
    expect(log).not.toContain(cookie.split('=')[1]);
    expect(log).not.toMatch(/mr_/);
  });
});
