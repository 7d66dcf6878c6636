import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServerLog, type RunningServer, startServer } from '@millrace/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseCommandLine, type RemoteCommand } from '../command-line.ts';
import { recordingTerminal } from '../testing/recording-terminal.ts';
import { countCode, pipelineJson, type SampleFolder, sampleFolder } from '../testing/sample-folder.ts';
import { remoteCommand } from './remote-command.ts';
import { serverPlace } from './server-api.ts';
import { writeFolderToDisk } from './write-folder-to-disk.ts';

const data = mkdtempSync(join(tmpdir(), 'millrace-remote-'));
const owner = { email: 'me@example.org', password: 'long enough it is' };
let server: RunningServer;
let token: string;
let folder: SampleFolder;
let other: SampleFolder;

beforeAll(async () => {
  const options = { databaseUrl: undefined, host: '127.0.0.1', port: undefined, publicUrl: undefined };
  const { log } = openServerLog(data, 'silent');
  server = await startServer({ ...options, dataDir: data, paused: false, owner }, log);
  const login = await post('/login', owner, {});
  const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
  const scopes = ['graph.read', 'graph.write', 'run.deploy', 'run.operate'];
  const made = await post('/tokens', { name: 'test', scopes }, { cookie });
  token = ((await made.json()) as { token: string }).token;
});
beforeEach(() => {
  folder = sampleFolder();
  other = sampleFolder();
  rmSync(join(other.path, 'pipeline.json'));
});
afterEach(() => {
  folder.remove();
  other.remove();
});
afterAll(async () => {
  await server.stop();
  rmSync(data, { recursive: true, force: true });
});

const post = (path: string, body: unknown, headers: Record<string, string>) =>
  fetch(`${server.address}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.address, ...headers },
    body: JSON.stringify(body),
  });

async function millrace(line: string, env: Record<string, string> = { MILLRACE_TOKEN: token }) {
  const terminal = recordingTerminal();
  const command = parseCommandLine([...line.split(' '), '--server', server.address]);
  if (command.kind === 'usage') throw new Error(command.message);
  const code = await remoteCommand(command as RemoteCommand, terminal, env);
  return { code, stdout: terminal.written.stdout.join(''), stderr: terminal.written.stderr.join('') };
}

const rename = (place: SampleFolder, id: string, name: string) =>
  place.write('pipeline.json', JSON.stringify({ ...pipelineJson, id, name }, null, 2));
const text = (place: SampleFolder, path: string) => readFileSync(join(place.path, path), 'utf8');

describe('millrace push and pull', () => {
  it('bring a folder to the server and back, with what somebody else did', async () => {
    rename(folder, 'p_there_and_back', 'There');
    expect(await millrace(`push ${folder.path} --json`)).toMatchObject({
      code: 0,
      stdout: '{"ok":true,"pipeline":"p_there_and_back","revision":1}\n',
    });
    expect((await millrace(`pull ${other.path} --pipeline p_there_and_back --force`)).code).toBe(0);
    expect(text(other, 'nodes/count.ts')).toBe(countCode);

    other.write('nodes/count.ts', countCode.replace('+ 1', '+ 2'));
    expect((await millrace(`push ${other.path}`)).code).toBe(0);
    expect((await millrace(`pull ${folder.path}`)).code).toBe(0);
    expect(text(folder, 'nodes/count.ts')).toContain('+ 2');
    expect(text(folder, 'flights.jsonl')).not.toBe('');
  });

  it('overwrite nothing that the other side changed, unless told to', async () => {
    rename(folder, 'p_careful', 'Careful');
    await millrace(`push ${folder.path}`);
    await millrace(`pull ${other.path} --pipeline p_careful --force`);
    other.write('nodes/count.ts', countCode.replace('+ 1', '+ 2'));
    await millrace(`push ${other.path}`);

    folder.write('nodes/count.ts', countCode.replace('+ 1', '+ 3'));
    expect(await millrace(`push ${folder.path}`)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('--force'),
    });
    expect(await millrace(`pull ${folder.path}`)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('not pushed'),
    });
    expect(text(folder, 'nodes/count.ts')).toContain('+ 3');
    expect((await millrace(`push ${folder.path} --force`)).code).toBe(0);
    expect((await millrace(`pull ${other.path}`)).code).toBe(0);
    expect(text(other, 'nodes/count.ts')).toContain('+ 3');
  });

  it('a folder without an id is given one, and the file stays as it was written', async () => {
    const { id: _, ...rest } = pipelineJson;
    const written = JSON.stringify(rest, null, 4);
    folder.write('pipeline.json', written);
    const first = await millrace(`push ${folder.path}`);
    const id = /"id": "(p_\w+)"/.exec(first.stderr)?.[1];
    expect(text(folder, 'pipeline.json')).toBe(written.replace('{', `{\n  "id": "${id}",`));
    expect((await millrace(`push ${folder.path}`)).stderr).toContain('draft 1');
  });

  it('a folder with issues is pushed, and they are told', async () => {
    rename(folder, 'p_issues', 'Issues');
    rmSync(join(folder.path, 'nodes/count.ts'));
    const { code, stderr } = await millrace(`push ${folder.path}`);
    expect(code).toBe(1);
    expect(stderr).toMatch(/pipeline\.json:\d+:\d+: error: /);
  });
});

describe('millrace deploy', () => {
  const generator = (id: string, keyBy: string) => {
    const config = { value: '{ n }', type: '{ n: number }', rate: 10 };
    const { n_count } = pipelineJson.nodes;
    return JSON.stringify({
      ...pipelineJson,
      id,
      nodes: {
        n_in: { type: 'injector/generator', name: 'numbers', config },
        n_count,
        n_out: { type: 'sink/discard', name: 'nowhere' },
      },
      streams: {
        s_1: { from: ['n_in', 'out'], to: ['n_count', 'flights'], keyBy },
        s_2: { from: ['n_count', 'counts'], to: ['n_out', 'in'] },
      },
    });
  };

  it('runs a version and waits for it; Y1: where state would go it shows the plan and changes nothing', async () => {
    folder.write('pipeline.json', generator('p_deployed', 'value.n % 3'));
    const first = await millrace(`deploy ${folder.path} -m first --json`);
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('version 1 is running') });
    expect(JSON.parse(first.stdout)).toMatchObject({ ok: true, deployment: { version: 1 } });
    expect((await millrace('status')).stdout).toMatch(/running +v1 +v1 +p_deployed/);

    folder.write('pipeline.json', generator('p_deployed', 'value.n % 5'));
    const refused = await millrace(`deploy ${folder.path}`);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('incompatible') });
    expect((await millrace('status')).stdout).toMatch(/running +v1 +v2 +p_deployed/);
    const agreed = await millrace(`deploy ${folder.path} --drop-state --paused`);
    expect(agreed).toMatchObject({ code: 0, stderr: expect.stringContaining('version 2 is paused') });
  });

  it('of a version that cannot run says why, once', async () => {
    const graph = JSON.parse(generator('p_nofile', 'value.n'));
    graph.nodes.n_in = {
      type: 'injector/file',
      name: 'numbers',
      config: { path: 'absent.jsonl', format: 'jsonl', type: '{ n: number }' },
    };
    folder.write('pipeline.json', JSON.stringify(graph));
    const { code, stderr } = await millrace(`deploy ${folder.path}`);
    expect(code).toBe(3);
    expect(stderr).toContain('millrace: version 1 does not run: ');
    expect(stderr).not.toContain('cannot run');
    expect(stderr.match(/absent\.jsonl/g)).toHaveLength(1);
  });

  it('of a folder with errors publishes nothing and prints them all, by file and line', async () => {
    folder.write('pipeline.json', generator('p_broken', 'value.m'));
    folder.write('nodes/count.ts', countCode.replace('+ 1', "+ 'x'"));
    const { code, stderr } = await millrace(`deploy ${folder.path}`);
    expect(code).toBe(1);
    expect(stderr).toMatch(/nodes\/count\.ts:\d+:\d+: error: /);
    expect(stderr).toMatch(/pipeline\.json:\d+:\d+: error: keyBy of stream/);
  });
});

describe('millrace status', () => {
  it('shows every pipeline and what it does', async () => {
    rename(folder, 'p_shown', 'Shown \u001b[31m');
    await millrace(`push ${folder.path}`).catch(() => undefined);
    rename(folder, 'p_shown', 'Shown');
    await millrace(`push ${folder.path}`);
    const { code, stdout } = await millrace('status');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Shown +not deployed/);
    const { pipelines } = JSON.parse((await millrace('status --json')).stdout);
    expect(pipelines).toContainEqual(expect.objectContaining({ id: 'p_shown', deployment: null }));
  });
});

describe('the commands of a server', () => {
  it('say what is missing: a token, a good one, a server', async () => {
    expect(await millrace('status', {})).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('MILLRACE_TOKEN'),
    });
    expect(await millrace('status', { MILLRACE_TOKEN: 'mr_nonsense' })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('refused'),
    });
    const place = serverPlace('http://127.0.0.1:1', { MILLRACE_TOKEN: 'x' });
    expect(place).toEqual({ server: 'http://127.0.0.1:1', token: 'x' });
    expect(serverPlace('ftp://x', { MILLRACE_TOKEN: 'x' })).toHaveProperty('fault');
    const nowhere = parseCommandLine(['status', '--server', 'http://127.0.0.1:1']) as RemoteCommand;
    await expect(remoteCommand(nowhere, recordingTerminal(), { MILLRACE_TOKEN: 'x' })).rejects.toThrow(
      'There is no Millrace at',
    );
  });

  it('write nothing outside the folder, whatever a server sends', async () => {
    const write = (files: Record<string, string>) =>
      writeFolderToDisk({ root: folder.path, present: [], files: new Map(Object.entries(files)) });
    for (const path of ['../evil.ts', '/tmp/evil.ts', '.millrace/x.json', 'README.md', 'nodes/../../x.ts'])
      await expect(write({ 'pipeline.json': '{}', [path]: '' })).rejects.toThrow('not part of a pipeline');
    const outside = mkdtempSync(join(tmpdir(), 'millrace-outside-'));
    writeFileSync(join(outside, 'target.ts'), 'mine');
    symlinkSync(outside, join(folder.path, 'lib'));
    await expect(write({ 'lib/target.ts': 'theirs' })).rejects.toThrow('leads out');
    rmSync(join(folder.path, 'nodes/count.ts'));
    symlinkSync(join(outside, 'target.ts'), join(folder.path, 'nodes/count.ts'));
    await write({ 'nodes/count.ts': 'theirs' });
    expect(readFileSync(join(outside, 'target.ts'), 'utf8')).toBe('mine');
    rmSync(outside, { recursive: true });
  });
});
