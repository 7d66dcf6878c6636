import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore, type Store } from '../store.ts';
import { dataFolder } from '../testing/data-folder.ts';

/** Stands between store and server, and cuts the line when the next answer comes: the statement took effect. */
class Cutter {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'millrace-cut-'));
  cuts = 0;
  private server: net.Server | undefined;
  private countdown = 0;

  listen(target: string): Promise<void> {
    chmodSync(this.folder, 0o755);
    this.server = net.createServer((client) => {
      const upstream = net.connect(target);
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        from.on('error', () => undefined);
        from.on('close', () => to.destroy());
      }
      client.on('data', (data) => upstream.write(data));
      upstream.on('data', (data) => {
        if (this.countdown === 1) {
          this.cuts++;
          client.destroy();
        } else client.write(data);
        if (this.countdown > 0) this.countdown--;
      });
    });
    return new Promise((resolve) => this.server?.listen(path.join(this.folder, '.s.PGSQL.5432'), resolve));
  }

  /** Cuts at the n-th answer from now. */
  arm(answer: number): void {
    this.countdown = answer;
  }

  close(): void {
    this.server?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

describe('an answer is lost after the statement took effect', () => {
  const folder = dataFolder();
  const cutter = new Cutter();
  let owner: Store;
  let store: Store;

  beforeAll(async () => {
    owner = await openStore({ dataDir: folder.path }, () => undefined);
    const [row] = await owner.query('show unix_socket_directories');
    const real = String(row?.unix_socket_directories).replaceAll('"', '');
    await owner.query('create database other');
    await cutter.listen(path.join(real, '.s.PGSQL.5432'));
    store = await openStore({ url: `postgres://millrace@/other?host=${cutter.folder}` }, () => undefined);
  });
  afterAll(async () => {
    await store.close();
    cutter.close();
    await owner.close();
    await folder.remove();
  });

  test('L1: bundles are found by their primary key and not sent again', async () => {
    const pipeline = await store.pipeline('p_cut');
    await pipeline.claimHost();
    const sequencer = await pipeline.claimWorker(0);
    const bundles = [1, 2].map((n) => ({
      position: n,
      slot: 0,
      sequencer,
      bundleNumber: n,
      body: Buffer.from('x'),
    }));
    await pipeline.commit([{ ...bundles[0]!, position: 9, bundleNumber: 9 }]);
    const before = cutter.cuts;
    cutter.arm(1);
    expect(await pipeline.commit(bundles)).toEqual(['committed', 'committed']);
    expect(cutter.cuts).toBe(before + 1);
    expect(await store.query('select count(*)::int4 as n from millrace.bundles')).toEqual([{ n: 3 }]);
  });

  test('S1: a sink commit whose answer was lost is recognised by its call, and the rows are written once', async () => {
    const pipeline = await store.pipeline('p_sink');
    const host = await pipeline.claimHost();
    const connector = { nodeId: 'n', nodeName: 'n', folder: '/', secret: async () => '', now: () => 0 };
    const sink = store.sinkContext('p_sink', host, connector);
    await store.query('create table data.rows (a int)');
    await store.query('grant all on data.rows to millrace_data');
    const deliver = async (value: number, answer: number) => {
      let calls = 0;
      await sink.commit({ through: value, detail: {} }, [], async (sql) => {
        await sql.query('insert into data.rows values ($1)', [value]);
        if (calls++ === 0) cutter.arm(answer);
      });
      return calls;
    };
    // Answers after `write`: reset role, search path, mark, commit.
    expect(await deliver(1, 4)).toBe(1);
    expect(await deliver(2, 3)).toBe(2);
    expect(cutter.cuts).toBe(3);
    expect(await store.query('select a, count(*)::int4 as n from data.rows group by a order by a')).toEqual([
      { a: 1, n: 1 },
      { a: 2, n: 1 },
    ]);
    expect((await sink.mark())?.through).toBe(2);
  });

  test('DATABASE_URL: a pipeline that another host runs is refused by name; a bad address says what to check', async () => {
    await store.pipeline('p_mine');
    const second = await openStore(
      { url: `postgres://millrace@/other?host=${cutter.folder}` },
      () => undefined,
    );
    await expect(second.pipeline('p_mine')).rejects.toThrow(
      `Pipeline p_mine is in use by pid ${process.pid}`,
    );
    await second.close();
    const nowhere = openStore({ url: 'postgres://x@127.0.0.1:1/none' }, () => undefined);
    await expect(nowhere).rejects.toThrow(/DATABASE_URL cannot be used[\s\S]*ECONNREFUSED[\s\S]*Check/);
    for (const url of ['nonsense', '127.0.0.1:5432', 'mysql://x@y/z'])
      await expect(openStore({ url }, () => undefined)).rejects.toThrow(
        'DATABASE_URL is not the address of a Postgres: write postgres://',
      );
  });
});
