/** What pipelines of a served product reach: no private address, no file of the server, and no secret is told. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { routeIds, routeSpec } from '@millrace/protocol/api';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../support/folders.ts';
import { type Deployment, deploymentOf, publishAndDeploy } from '../support/served.ts';
import { lookInto } from '../support/served-database.ts';
import { sharedServer } from '../support/shared-server.ts';

const shared = sharedServer();
const WAIT = { timeout: 90_000 };

/** Counts whoever comes near it, on every address of this machine. */
const inside: Server = createServer((socket) => {
  touched++;
  socket.destroy();
});
let touched = 0;
/** An admin allows it. It sends on to the inside, or answers with what it was sent. */
const allowed = http.createServer((request, response) => {
  request.resume();
  if (request.url === '/redirect') {
    redirected++;
    response.writeHead(307, { location: `http://127.0.0.1:${portOf(inside)}/` }).end();
    return;
  }
  received.push(String(request.headers.authorization));
  response.writeHead(422).end(`you sent ${request.headers.authorization}`);
});
let redirected = 0;
const received: string[] = [];

const portOf = (server: Server | http.Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  await new Promise<void>((resolve) => void inside.listen(0, '::', resolve));
  await new Promise<void>((resolve) => void allowed.listen(0, '127.0.0.1', resolve));
  const { headers } = await shared.owner.call('GET', '/api/v1/settings/access');
  const access = { folders: [], hosts: [`127.0.0.1:${portOf(allowed)}`] };
  await shared.owner.done('PUT', '/api/v1/settings/access', access, {
    'if-match': headers.get('etag') ?? '',
  });
}, 120_000);
afterAll(() => {
  inside.close();
  allowed.closeAllConnections();
  allowed.close();
});

interface Node {
  readonly type: string;
  readonly config: object;
}
const THREE: Node = { type: 'injector/generator', config: { value: '{ n }', rate: 'max', count: 3 } };

async function deploy(id: string, from: Node, to: Node): Promise<void> {
  const pipeline = {
    format: 1,
    id,
    name: id,
    nodes: { n_in: { ...from, name: 'in' }, n_out: { ...to, name: 'out' } },
    streams: { s_1: { from: ['n_in', 'out'], to: ['n_out', 'in'] } },
  };
  const files = { 'pipeline.json': JSON.stringify(pipeline) };
  await shared.editor.done('POST', '/api/v1/pipelines', { files });
  await publishAndDeploy(shared.editor, id);
}

const putSecret = (name: string, value: string) =>
  shared.owner.done('PUT', `/api/v1/secrets/${name}`, { value });

interface Told extends Deployment {
  readonly observed: Deployment['observed'] & { readonly upToDate: boolean };
}

/** Why it failed since it was last asked to start. */
async function failure(id: string): Promise<string | null> {
  const { observed } = (await deploymentOf(shared.editor, id)) as Told;
  return observed.upToDate && observed.state === 'failed' ? observed.reason : null;
}

/** Starts the pipeline anew with each content of a secret; every time it must fail with a refusal. */
async function eachIsRefused(id: string, secret: string, contents: readonly string[], refusal: RegExp) {
  for (const content of contents) {
    const why = `${id}: ${content}`;
    await shared.editor.done('POST', `/api/v1/pipelines/${id}/deployment/kill`);
    await expect
      .poll(async () => ((await deploymentOf(shared.editor, id)) as Told).observed, { ...WAIT, message: why })
      .toMatchObject({ state: 'stopped', upToDate: true });
    await putSecret(secret, content);
    await shared.editor.done('POST', `/api/v1/pipelines/${id}/deployment/start`);
    await expect.poll(() => failure(id), { ...WAIT, message: why }).toMatch(refusal);
  }
}

const REFUSED = /which pipelines on this server may not reach/;

/** This machine, in every spelling, and neighbours. */
function privateHosts(port: number): string[] {
  return [
    ...['127.0.0.1', '2130706433', '0177.0.0.1', '127.1', '0x7f000001', '0.0.0.0', '[::1]', '[::]'],
    ...[
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      'localhost',
      'LOCALHOST.',
      'a.localhost',
    ],
    ...[
      hostname(),
      '169.254.169.254',
      '10.0.0.1',
      '192.168.1.1',
      '172.16.0.1',
      '100.64.0.1',
      '[fe80::1]',
      '[fd00::1]',
    ],
  ].map((host) => `${host}:${port}`);
}

describe('a pipeline reaches no private address', () => {
  it('by the HTTP sink, in whatever spelling, nor where an allowed host sends it', async () => {
    await putSecret('hook', `http://127.0.0.1:${portOf(inside)}/`);
    await deploy('p_hook', THREE, { type: 'sink/http', config: { url: { secret: 'hook' }, timeout: '5s' } });
    const places = privateHosts(portOf(inside)).map((host) => `http://${host}/`);
    const redirecting = `http://127.0.0.1:${portOf(allowed)}/redirect`;
    await eachIsRefused('p_hook', 'hook', [...places, redirecting], REFUSED);
    expect(redirected).toBeGreaterThan(0);
    expect(touched).toBe(0);
  }, 300_000);

  it('by the Postgres sink, which opens no socket and no file of the server either', async () => {
    const { database } = JSON.parse(readFileSync(join(shared.data, 'server.json'), 'utf8'));
    const { socketFolder, port } = database as { socketFolder: string; port: number };
    await putSecret('database', `postgres://millrace@127.0.0.1:${portOf(inside)}/postgres`);
    await deploy('p_base', THREE, {
      type: 'sink/postgres',
      config: { table: 'reached', url: { secret: 'database' } },
    });
    const places = privateHosts(portOf(inside)).filter((host) => !host.startsWith('0177'));
    await eachIsRefused(
      'p_base',
      'database',
      places.map((host) => `postgres://millrace:x@${host}/postgres`),
      /may not reach|cannot be read/,
    );
    const folder = encodeURIComponent(socketFolder);
    await eachIsRefused(
      'p_base',
      'database',
      [
        `postgres://millrace@${folder}:${port}/postgres`,
        `postgres://millrace@/postgres?host=${folder}&port=${port}`,
        `postgres://millrace@example.org/postgres?host=${folder}`,
        `postgres://millrace@example.org/postgres?sslrootcert=/etc/passwd`,
        `socket:${socketFolder}?db=postgres`,
      ],
      /on this server an address may hold|cannot be read|Write the secret anew/,
    );
    expect(touched).toBe(0);
    const found = await lookInto(shared.data, `select 1 from pg_class where relname = 'reached'`);
    expect(found).toEqual([]);
  }, 300_000);
});

describe('a pipeline reaches no file outside its workspace', () => {
  it('by a file sink or a file injector, not even through a link', async () => {
    const outside = tempFolder('outside');
    writeFileSync(join(outside, 'in.jsonl'), '{"n":1}\n');
    const folder = join(shared.data, 'files/w_default');
    mkdirSync(folder, { recursive: true });
    symlinkSync(outside, join(folder, 'link'));
    const file = (path: string): Node => ({ type: 'sink/file', config: { path } });
    const read = (path: string): Node => ({ type: 'injector/file', config: { path, format: 'jsonl' } });
    const discard: Node = { type: 'sink/discard', config: {} };
    await deploy('p_absolute', THREE, file(join(outside, 'out.jsonl')));
    await deploy('p_dots', THREE, file('../../../out.jsonl'));
    await deploy('p_link', read('link/in.jsonl'), discard);
    await deploy('p_server', read('../../server.json'), discard);
    for (const [id, why] of [
      ['p_absolute', 'lies outside the folders'],
      ['p_dots', 'leaves the pipeline'],
      ['p_link', 'leads out of the pipeline'],
      ['p_server', 'leaves the pipeline'],
    ] as const)
      await expect.poll(() => failure(id), { ...WAIT, message: id }).toContain(why);
    expect(readdirSync(outside)).toEqual(['in.jsonl']);
    for (const up of ['out.jsonl', '../out.jsonl', 'files/out.jsonl'])
      expect(existsSync(join(shared.data, up))).toBe(false);
  }, 300_000);
});

describe('a secret', () => {
  const CANARY = 'qz7canary41c9';

  it('is in no answer, export, dead letter, log or file, though a target sends it back', async () => {
    await putSecret('token', `Bearer ${CANARY}`);
    await deploy('p_canary', THREE, {
      type: 'sink/http',
      config: {
        url: `http://127.0.0.1:${portOf(allowed)}/echo`,
        headers: { Authorization: { secret: 'token' } },
      },
    });
    const letters = '/api/v1/pipelines/p_canary/dead-letters';
    await expect
      .poll(async () => (await shared.editor.done<{ items: unknown[] }>('GET', letters)).items, WAIT)
      .toMatchObject([{ error: 'it answered 422: you sent •••' }, {}, {}]);
    expect(received).toContain(`Bearer ${CANARY}`);
    const told: string[] = [];
    for (const id of routeIds) {
      const { method, path, permission } = routeSpec(id);
      if (method !== 'get' || permission === 'public') continue;
      const address = path.replace(/:pipeline/, 'p_canary').replace(/[:*]\w+/g, '1');
      const answer = await fetch(`${shared.url}${address}`, {
        headers: { cookie: String(shared.owner.headers.cookie) },
      });
      const body = new Uint8Array(await answer.arrayBuffer());
      if (id === 'pipelines.export')
        told.push(...Object.values(unzipSync(body)).map((text) => Buffer.from(text).toString()));
      told.push(Buffer.from(body).toString('latin1'), JSON.stringify([...answer.headers]));
    }
    expect(told.join('\n')).not.toContain(CANARY);
    expect(told.join('\n')).toContain('it answered 422');
    await lookInto(shared.data, 'checkpoint');
    expect(filesWith(CANARY)).toEqual([]);
    expect(filesWith('it answered 422')).not.toEqual([]);
  }, 180_000);

  /** Files of the data folder, the database's own and the log among them, in which the text occurs. */
  const filesWith = (text: string): string[] =>
    readdirSync(shared.data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => existsSync(path) && readFileSync(path).includes(text));
});
