import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memorySinkContext, tempFolder } from '../../test/contexts.ts';
import { lockFile, removeIfStill } from './host-lock.ts';
import { fileSink } from './sink.ts';

async function locked(path: string): Promise<{ release(): Promise<void> }> {
  const outcome = await lockFile(path, 'result');
  if (outcome.kind !== 'locked') throw new Error(`held by ${JSON.stringify(outcome.holder)}`);
  return outcome;
}

const holder = (changes: object): string =>
  JSON.stringify({ token: 't', pid: process.pid, started: '1', machine: hostname(), node: 'n', ...changes });

describe('lock of a sink file', () => {
  it('P7: a second node or host is told who holds the file', async () => {
    const folder = await tempFolder();
    const first = await fileSink.open({ path: 'out' }, memorySinkContext(folder));
    const second = fileSink.open({ path: 'out' }, memorySinkContext(folder));
    await expect(second).rejects.toThrow(
      new RegExp(`it is in use by node "result" of process ${process.pid} on ${hostname()}\\. Stop that run`),
    );
    await first.close();
    const third = await fileSink.open({ path: 'out' }, memorySinkContext(folder));
    await third.close();
    await third.close();
    expect(await readdir(folder)).toEqual(['out']);
  });

  it('P7: one way to name a file is as good as another', async () => {
    const folder = await tempFolder();
    const first = await fileSink.open({ path: './out' }, memorySinkContext(folder));
    await expect(fileSink.open({ path: join(folder, 'out') }, memorySinkContext('/'))).rejects.toThrow(
      'in use',
    );
    await first.close();
  });

  it('Y5: the lock of a killed process is taken over, reaped or not; that of a living one is not', async () => {
    const path = join(await tempFolder(), 'out');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    const started = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')[19];
    const lock = join(path, '..', '.out.lock');
    await writeFile(lock, holder({ pid: child.pid, started }));
    expect((await lockFile(path, 'result')).kind).toBe('held');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await locked(path)).release();
    await writeFile(lock, holder({ started: 'long ago' }));
    await (await locked(path)).release();
  });

  it('another machine keeps its lock while it touches it', async () => {
    const path = join(await tempFolder(), 'out');
    const lock = join(path, '..', '.out.lock');
    await writeFile(lock, holder({ machine: 'elsewhere', pid: 1 }));
    expect(await lockFile(path, 'result')).toMatchObject({ kind: 'held', holder: { machine: 'elsewhere' } });
    const hourAgo = Date.now() / 1000 - 3600;
    await utimes(lock, hourAgo, hourAgo);
    await (await locked(path)).release();
    await writeFile(lock, 'no JSON');
    expect(await lockFile(path, 'result')).toMatchObject({ kind: 'held', holder: undefined });
    await rm(lock);
  });

  it('a host that was slow to find a lock stale does not remove the fresh one', async () => {
    const path = join(await tempFolder(), 'out');
    const lock = join(path, '..', '.out.lock');
    const fresh = await locked(path);
    const text = await readFile(lock, 'utf8');
    await removeIfStill(lock, holder({ pid: 1 }));
    expect(await readFile(lock, 'utf8')).toBe(text);
    expect((await lockFile(path, 'result')).kind).toBe('held');
    await fresh.release();
    expect(await readdir(join(path, '..'))).toEqual([]);
  });

  it('of many that find a stale lock at once, one gets it', async () => {
    const path = join(await tempFolder(), 'out');
    for (let round = 0; round < 40; round++) {
      await writeFile(join(path, '..', '.out.lock'), holder({ pid: 2 ** 22 + 1 }));
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => lockFile(path, 'result')));
      const winners = outcomes.filter((outcome) => outcome.kind === 'locked');
      expect(winners.length).toBe(1);
      for (const winner of winners) if (winner.kind === 'locked') await winner.release();
    }
  });
});
