/**
 * Keeps a second host, or a second node of this one, from writing the same file: a lock file beside it.
 *
 * The holder writes its process id, the start time of that process and its machine's name, and touches the lock
 * every 5 s. A lock is stale when its process is gone (same machine; the start time tells a reused id), or when
 * nobody touched it for 60 s (another machine on a shared file system, or a container that was made anew).
 * A stale lock is moved aside under a random name and looked at again before it is removed, so that of two
 * hosts which both saw it stale, neither removes the other's fresh lock; and a new holder looks, a moment later,
 * whether the lock is still its own.
 *
 * Not handled: a host that sleeps for longer than that moment between finding a lock stale and moving it, while a
 * third takes it in the instant before it is put back. The pipeline's lease and the sink's look at the file's
 * length before each write still stand in their way.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { errorCode } from '../shared/connector-error.ts';

const TOUCH_MS = 5_000;
const ABANDONED_MS = 60_000;
const SETTLE_MS = 20;

const holderSchema = z.object({
  token: z.string(),
  pid: z.int().positive(),
  started: z.string(),
  machine: z.string(),
  node: z.string(),
});

export type LockHolder = z.infer<typeof holderSchema>;

export type LockOutcome =
  | { readonly kind: 'locked'; release(): Promise<void> }
  | { readonly kind: 'held'; readonly holder: LockHolder | undefined; readonly path: string };

export async function lockFile(realPath: string, node: string): Promise<LockOutcome> {
  const path = join(dirname(realPath), `.${basename(realPath)}.lock`);
  const holder: LockHolder = {
    token: randomUUID(),
    pid: process.pid,
    started: startTimeOf(process.pid),
    machine: hostname(),
    node,
  };
  for (;;) {
    // Whoever found the last lock stale may just now be moving ours aside, to look at it and put it back.
    if (await create(path, holder)) await sleep(SETTLE_MS);
    const text = await readLock(path);
    if (text === undefined) continue;
    const found = parseHolder(text);
    if (found?.token === holder.token) return hold(path, holder);
    if (!(await isStale(path, text))) return { kind: 'held', holder: found, path };
    await removeIfStill(path, text);
  }
}

/** Written under another name and linked, so that no one ever reads a half-written lock. */
async function create(path: string, holder: LockHolder): Promise<boolean> {
  const draft = `${path}.${holder.token}`;
  const text = JSON.stringify(holder);
  await writeFile(draft, text, { flag: 'wx', mode: 0o644 });
  try {
    await link(draft, path).catch((error) => {
      if (errorCode(error) === 'EEXIST') throw error;
      // A file system without hard links: an exclusive open excludes as well, only the text comes a little later.
      return writeFile(path, text, { flag: 'wx', mode: 0o644 });
    });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function hold(path: string, holder: LockHolder): LockOutcome {
  const touch = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, TOUCH_MS);
  touch.unref();
  return {
    kind: 'locked',
    async release() {
      clearInterval(touch);
      const text = await readFile(path, 'utf8').catch(() => undefined);
      if (text !== undefined && parseHolder(text)?.token === holder.token) await rm(path, { force: true });
    },
  };
}

async function isStale(path: string, text: string): Promise<boolean> {
  const holder = parseHolder(text);
  if (holder !== undefined && holder.machine === hostname()) {
    return !isAlive(holder.pid) || startTimeOf(holder.pid) !== holder.started;
  }
  const stats = await stat(path).catch(() => undefined);
  return stats === undefined || Date.now() - stats.mtimeMs > ABANDONED_MS;
}

/** Removes the lock if it still reads so; exported for its test. */
export async function removeIfStill(path: string, staleText: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const moved = await readFile(aside, 'utf8').catch(() => undefined);
  if (moved !== staleText) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

/** `undefined` when it was released in between; an unreadable lock is no released one. */
async function readLock(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    return holderSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * Field 22 of /proc/<pid>/stat, counted behind the name, which may hold anything. Empty where there is no /proc,
 * `ended` for a process that its parent has not yet reaped.
 */
function startTimeOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '');
  } catch {
    return '';
  }
}
