import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { openStore, type Store } from '../store.ts';
import { type DataFolder, dataFolder } from '../testing/data-folder.ts';
import { buildHost, startHost } from '../testing/host-process.ts';
import { serverAccount } from './account.ts';
import { inspectProcess } from './processes.ts';
import { mayRead } from './reachable.ts';

const host = buildHost();
afterAll(() => host.remove());

const folders: DataFolder[] = [];
const quiet = () => undefined;
const asRoot = process.getuid?.() === 0;

function newFolder(): string {
  const folder = dataFolder();
  folders.push(folder);
  return folder.path;
}

/** Kills the server that runs now: `serverPid` names the last one until the next is up, and that one is gone. */
function killServer(store: Store): Promise<number> {
  return vi.waitFor(() => {
    const pid = store.serverPid()!;
    process.kill(pid, 'SIGKILL');
    return pid;
  }, 10_000);
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await folder.remove();
});

// Where only root may enter the repository, an ordinary user can start nothing from it: there is nothing to test.
const reachable = mayRead(import.meta.filename, { name: 'nobody', uid: 65_534, gid: 65_534 });
if (asRoot && !reachable)
  console.warn('SKIPPED: the store as an ordinary user: only root may enter this folder');

describe('the embedded server', () => {
  test('E1: a killed host leaves the server running; the next host takes it over and finds all', async () => {
    const dataDir = newFolder();
    const first = await startHost(host.file, dataDir);
    first.process.kill('SIGKILL');
    await first.ended();
    const store = await openStore({ dataDir }, quiet);
    expect(store.serverPid()).toBe(first.first.serverPid);
    expect((await store.query('select id from millrace.pipelines')).length).toBe(1);
    await store.close();
    expect(inspectProcess(first.first.serverPid!).kind).not.toBe('alive');
  });

  test('a second host is told who uses the data directory, and disturbs nothing', async () => {
    const dataDir = newFolder();
    const first = await startHost(host.file, dataDir);
    const second = openStore({ dataDir }, quiet);
    await expect(second).rejects.toThrow(new RegExp(`${dataDir} is in use by pid ${first.process.pid}`));
    expect(inspectProcess(first.first.serverPid!).kind).toBe('alive');
    first.process.kill('SIGTERM');
    await first.ended();
    expect(inspectProcess(first.first.serverPid!).kind).not.toBe('alive');
  });

  test('two hosts that start at once on a new folder: one has it, the other is told so', async () => {
    const dataDir = newFolder();
    const opened = await Promise.allSettled([openStore({ dataDir }, quiet), openStore({ dataDir }, quiet)]);
    expect(opened.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const one of opened) {
      if (one.status === 'rejected') expect(String(one.reason)).toContain('is in use by pid');
      else {
        expect(await one.value.query('select 1 as one')).toEqual([{ one: 1 }]);
        await one.value.close();
      }
    }
  });

  test('E2: a pid file and a socket lock that name a foreign living process do not stop the start', async () => {
    const dataDir = newFolder();
    await (await openStore({ dataDir }, quiet)).close();
    const account = serverAccount();
    const foreign = spawn('sleep', ['60'], {
      stdio: 'ignore',
      ...(account && { uid: account.uid, gid: account.gid }),
    });
    const cluster = path.join(dataDir, 'postgres');
    const text = `${foreign.pid}\n${cluster}\n1\n5432\n${cluster}\n\n  1 1\nready   \n`;
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
      writeFileSync(path.join(cluster, name), text);
      if (account) chownSync(path.join(cluster, name), account.uid, account.gid);
    }
    const store = await openStore({ dataDir }, quiet);
    expect(existsSync(path.join(cluster, 'postmaster.pid.stale'))).toBe(true);
    await store.close();
    foreign.kill();
  });

  test('E3, Y5: killed with its host, or killed alone, it comes back within seconds with everything', async () => {
    const dataDir = newFolder();
    const store = await openStore({ dataDir }, quiet);
    const troubles: string[] = [];
    store.onTrouble((trouble) => troubles.push(trouble.kind));
    const pipeline = await store.pipeline('p_kill');
    await pipeline.claimHost();
    const sequencer = await pipeline.claimWorker(0);
    const outcomes: string[] = [];
    let position = 0;
    const commitSome = async () => {
      const bundles = [1, 2, 3].map(() => ({
        position: ++position,
        slot: 0,
        sequencer,
        bundleNumber: position,
        body: Buffer.alloc(20_000, 1),
      }));
      outcomes.push(...(await pipeline.commit(bundles)));
    };
    for (let round = 0; round < 3; round++) {
      // Commits go on through the kill until the database that came back has taken some, so that every kill meets
      // a commit on its way.
      let enough = Number.POSITIVE_INFINITY;
      const work = (async () => {
        while (outcomes.length < enough) await commitSome();
      })();
      const before = outcomes.length;
      await expect.poll(() => outcomes.length).toBeGreaterThan(before + 6);
      const killed = await killServer(store);
      const killedAt = Date.now();
      await expect.poll(() => store.serverPid(), { timeout: 10_000 }).not.toBe(killed);
      enough = outcomes.length + 30;
      await work;
      expect(Date.now() - killedAt).toBeLessThan(10_000);
    }
    expect(outcomes).toEqual(Array(position).fill('committed'));
    const [row] = await store.query(
      'select count(*)::int4 as n, count(distinct position)::int4 as d from millrace.bundles',
    );
    expect(row).toEqual({ n: position, d: position });
    await store.close();
  });

  test('the lock on the store is taken again after its connection was lost', async () => {
    const dataDir = newFolder();
    const store = await openStore({ dataDir }, quiet);
    const holders = () =>
      store.query(
        `select pid from pg_locks where locktype = 'advisory' and granted and classid = ${0x4d4c5243}`,
      );
    for (let round = 0; round < 3; round++) {
      const [holder] = await holders();
      await store.query('select pg_terminate_backend($1::int4)', [holder?.pid]);
      await expect
        .poll(async () => (await holders()).filter(({ pid }) => pid !== holder?.pid).length)
        .toBe(1);
    }
    await expect(openStore({ dataDir }, quiet)).rejects.toThrow('is in use by pid');
    await store.close();
  });

  test('a data folder with a very long path gets its socket in a short private folder', async () => {
    const folder = newFolder();
    chmodSync(folder, 0o755);
    const dataDir = path.join(folder, 'x'.repeat(60), 'y'.repeat(60));
    const store = await openStore({ dataDir }, quiet);
    expect((await store.query('show unix_socket_directories'))[0]?.unix_socket_directories).toMatch(
      /millrace-[0-9a-f]{16}/,
    );
    await store.close();
    expect(existsSync(path.join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true);
  });

  test('a newer layout, and a folder that is a file, are refused with what to do', async () => {
    const dataDir = newFolder();
    writeFileSync(path.join(dataDir, 'layout'), '2\n');
    await expect(openStore({ dataDir }, quiet)).rejects.toThrow(/layout 2[\s\S]*newer version/);
    await expect(openStore({ dataDir: path.join(dataDir, 'layout') }, quiet)).rejects.toThrow(
      /cannot be used/,
    );
  });

  test.runIf(asRoot)(
    'as root, below a folder only root may enter: the cluster lies outside and is found again',
    async () => {
      const shut = path.join(newFolder(), 'shut');
      mkdirSync(shut, { mode: 0o700 });
      const folder: DataFolder = dataFolder(shut);
      folders.unshift(folder);
      const messages: string[] = [];
      const store = await openStore({ dataDir: folder.path }, (message) => messages.push(message));
      await store.pipeline('p_root');
      await store.close();
      const cluster = readFileSync(path.join(folder.path, 'postgres.location'), 'utf8').trim();
      expect(messages.join()).toContain(cluster);
      const again = await openStore({ dataDir: folder.path }, quiet);
      expect(await again.query('select id from millrace.pipelines')).toEqual([{ id: 'p_root' }]);
      await again.close();
    },
  );

  test.runIf(asRoot && reachable)('as an ordinary user it runs as that user', async () => {
    const dataDir = path.join(newFolder(), 'data');
    mkdirSync(dataDir);
    chmodSync(path.dirname(dataDir), 0o755);
    chownSync(dataDir, 65_534, 65_534);
    const child = await startHost(host.file, dataDir, 65_534);
    expect(child.first).toMatchObject({ uid: 65_534 });
    expect(readFileSync(`/proc/${child.first.serverPid}/status`, 'utf8')).toMatch(/Uid:\t65534/);
    child.process.kill('SIGTERM');
    await child.ended();
  });
});
