/** Pipeline folders and data folders of tests, removed at their end with whatever server still runs in them. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store } from '@millrace/store';
import { afterAll, onTestFinished } from 'vitest';

export interface PipelineJson {
  readonly id?: string;
  readonly name?: string;
  readonly nodes: Readonly<Record<string, unknown>>;
  readonly streams: Readonly<Record<string, unknown>>;
  readonly parameters?: unknown;
}

let made = 0;

/** Writes a pipeline with its code and input beside it; gives the folder. */
export async function pipelineFolder(
  pipeline: PipelineJson,
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<string> {
  const folder = tempFolder('pipeline');
  await writeFiles(folder, { 'pipeline.json': pipelineText(pipeline), ...files });
  return folder;
}

export function pipelineText(pipeline: PipelineJson): string {
  const id = `p_e2e${process.pid}x${made++}`;
  return JSON.stringify({ format: 1, id, name: id, parameters: {}, ...pipeline }, undefined, 2);
}

export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** For one test; its data folder, where nothing else was named, is in it. */
export function tempFolder(name: string): string {
  const folder = openFolder(name);
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** A data folder that the tests of a file share: making one takes longer than most of them. */
export function sharedData(): { readonly path: string } {
  const path = openFolder('data');
  afterAll(() => removeFolder(path));
  return { path };
}

/** Open to all: where tests run as root, the server does not, and its files shall lie where tests look for them. */
function openFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `millrace-e2e-${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}

async function removeFolder(folder: string): Promise<void> {
  for (const data of [folder, join(folder, '.millrace/data')]) await endServer(data);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Opens what a run has left behind; only while no run uses it. */
export async function withStore<T>(data: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ dataDir: data }, () => {});
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

export function rows(data: string, sql: string, values: readonly unknown[] = []) {
  return withStore(data, (store) => store.query(sql, values));
}

export interface DeadLetter {
  readonly node: string;
  readonly origin: string;
  readonly error: string;
  readonly input: string;
  readonly key?: string;
  readonly state?: string;
  readonly stack: string;
  readonly attempts: number;
}

/** All dead letters of the pipeline in this folder, oldest first. */
export async function deadLetters(data: string, folder: string): Promise<DeadLetter[]> {
  const { id } = JSON.parse(readFileSync(join(folder, 'pipeline.json'), 'utf8')) as { id: string };
  const found = await rows(
    data,
    `select d.detail::text as detail from millrace.dead_letters d
       join millrace.pipelines p on p.number = d.pipeline where p.id = $1 order by d.number`,
    [id],
  );
  return found.map(({ detail }) => JSON.parse(String(detail)) as DeadLetter);
}

export interface Line {
  readonly key: string;
  readonly value: unknown;
  readonly timestamp: number;
  readonly pane?: { start: number; end: number; index: number; timing: string; last: boolean };
}

export function linesOf(folder: string, file = 'out.jsonl'): string[] {
  return readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

export function recordsOf(folder: string, file = 'out.jsonl'): Line[] {
  return linesOf(folder, file).map((line) => JSON.parse(line) as Line);
}

export function serverPid(data: string): number | undefined {
  const file = join(data, 'postgres/postmaster.pid');
  // While it is being written it is empty, and pid 0 would be the caller's own group.
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) || undefined : undefined;
}

async function endServer(data: string): Promise<void> {
  const pid = serverPid(data);
  if (pid === undefined || !commandOf(pid).includes(data)) return;
  process.kill(pid, 'SIGCONT');
  process.kill(pid, 'SIGQUIT');
  while (commandOf(pid).includes(data)) await sleep(20);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
