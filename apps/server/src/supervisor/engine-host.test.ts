import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Deployment, type DeployRequest, openStore, type Store } from '@millrace/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CountingPipeline, deployVersion, tableOf } from '../testing/counting-pipeline.ts';
import { type Supervisor, superviseEngineHost } from './engine-host-supervisor.ts';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'millrace-host-'));
let store: Store;
let host: Supervisor;
const lines: string[] = [];

const supervise = (holdPaused = false) => {
  const supervisor = superviseEngineHost({
    address: () => store.address(),
    dataDir,
    holdPaused,
    log: (line) => lines.push(line),
  });
  supervisor.start();
  return supervisor;
};

beforeAll(async () => {
  store = await openStore({ dataDir }, () => undefined);
  host = supervise();
});

afterAll(async () => {
  await host.stop(5_000);
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function deploy(pipeline: CountingPipeline, more: Partial<DeployRequest> = {}): Promise<void> {
  await deployVersion(store, pipeline, more);
  host.nudge(pipeline.id);
}

const wish = async (id: string, desired: Deployment['desired'], abandon = false) => {
  await store.deployments.setDesired(id, { desired, abandon });
  host.nudge(id);
};
const seen = (id: string) => store.deployments.get(id);
const state = async (id: string) => (await seen(id))?.observed;
const rows = async (id: string): Promise<number> => {
  const found = await store
    .query(`select count(*)::int4 as rows from ${tableOf(id)}`)
    // The sink makes its table when it is first opened.
    .catch(() => [{ rows: 0 }]);
  return found[0]?.rows as number;
};

/** Every number once, and the counts of its key in their order. */
async function expectExact(id: string, count: number): Promise<void> {
  const [sum] = await store.query(
    `select count(*)::int4 as rows, count(distinct n)::int4 as numbers, coalesce(max(n), -1)::int4 as last from ${tableOf(id)}`,
  );
  expect(sum).toEqual({ rows: count, numbers: count, last: count - 1 });
  const wrong = await store.query(
    `select n from (select n, seen, row_number() over (partition by n % 10 order by n) as place from ${tableOf(id)}) r where seen <> place`,
  );
  expect(wrong).toEqual([]);
}

describe('the engine host', () => {
  test('runs what is deployed to its end and tells', async () => {
    await deploy({ id: 'p_end', rate: 'max', count: 500 });
    await expect.poll(() => state('p_end')).toBe('ended');
    await expectExact('p_end', 500);
    expect(await seen('p_end')).toMatchObject({ observedVersion: 1, observedRevision: 1, startCrashes: 0 });
  });

  test('Y5: killed again and again under load, it takes up every pipeline and every record counts once', async () => {
    const ids = ['p_a', 'p_b', 'p_c', 'p_d', 'p_e', 'p_f'];
    for (const id of ids) await deploy({ id, rate: 500, count: 2_500 });
    for (const enough of [300, 1_000, 1_800]) {
      await expect.poll(async () => Math.min(...(await Promise.all(ids.map(rows))))).toBeGreaterThan(enough);
      process.kill(host.pid as number, 'SIGKILL');
    }
    for (const id of ids) await expect.poll(() => state(id)).toBe('ended');
    for (const id of ids) await expectExact(id, 2_500);
  });

  test('a host that hangs is fenced and ended by the next, whoever started that', async () => {
    await deploy({ id: 'p_hang', rate: 500, count: 2_000 });
    await expect.poll(() => rows('p_hang')).toBeGreaterThan(100);
    const hanging = host.pid as number;
    process.kill(hanging, 'SIGSTOP');
    const next = supervise();
    await expect.poll(() => state('p_hang')).toBe('ended');
    await expectExact('p_hang', 2_000);
    await next.stop(5_000);
    await expect.poll(() => host.isReady && host.pid !== hanging).toBe(true);
  });

  test('Y4, Y6: versions that follow each other under input lose and repeat nothing, and an older one comes back', async () => {
    const running = async () => {
      const now = await seen('p_next');
      return now?.observed === 'running' && now.observedVersion === now.version ? now.version : 0;
    };
    for (const factor of [2, 3, 4, 2]) {
      const before = await seen('p_next');
      await deploy({ id: 'p_next', rate: 1_000, factor }, { plannedFrom: before?.version });
      await expect.poll(running).toBe(factor - 1);
      const at = await rows('p_next');
      await expect.poll(() => rows('p_next')).toBeGreaterThan(at + 100);
    }
    await wish('p_next', 'stopped');
    await expect.poll(() => state('p_next')).toBe('stopped');
    await expectExact('p_next', await rows('p_next'));
    const factors = await store.query(
      `select distinct product / n as factor from ${tableOf('p_next')} where n > 0 order by 1`,
    );
    expect(factors.map(({ factor }) => Number(factor))).toEqual([2, 3, 4]);
    expect((await store.deployments.history('p_next', { limit: 9 })).map(({ version }) => version)).toEqual([
      1, 3, 2, 1,
    ]);
  });

  test('pauses, resumes, stops by draining and starts again where it was', async () => {
    await deploy({ id: 'p_pace', rate: 500, count: 1_500 });
    await expect.poll(() => rows('p_pace')).toBeGreaterThan(50);
    await wish('p_pace', 'paused');
    await expect.poll(() => state('p_pace')).toBe('paused');
    await wish('p_pace', 'running');
    await expect.poll(() => state('p_pace')).toBe('running');
    await wish('p_pace', 'stopped');
    await expect.poll(() => state('p_pace')).toBe('stopped');
    const atStop = await rows('p_pace');
    expect(atStop).toBeLessThan(1_500);
    await wish('p_pace', 'running');
    await expect.poll(() => state('p_pace')).toBe('ended');
    await expectExact('p_pace', 1_500);
  });

  test('killed, a pipeline stops at once and loses nothing', async () => {
    await deploy({ id: 'p_kill', rate: 500, count: 1_000 });
    await expect.poll(() => rows('p_kill')).toBeGreaterThan(50);
    await wish('p_kill', 'stopped', true);
    await expect.poll(() => state('p_kill')).toBe('stopped');
    await wish('p_kill', 'running');
    await expect.poll(() => state('p_kill')).toBe('ended');
    await expectExact('p_kill', 1_000);
  });

  test('another number of workers is taken over by a drain', async () => {
    await deploy({ id: 'p_wide', rate: 500, count: 1_500 });
    await expect.poll(() => rows('p_wide')).toBeGreaterThan(50);
    await deploy({ id: 'p_wide', rate: 500, count: 1_500 }, { workers: 2 });
    await expect.poll(() => state('p_wide')).toBe('ended');
    await expectExact('p_wide', 1_500);
  });

  test('a source that is missing is tried again, and the version before it goes on meanwhile', async () => {
    const file = {
      type: 'injector/file',
      config: { path: 'missing.jsonl', format: 'jsonl', type: '{ n: number }' },
    };
    await deploy({ id: 'p_src', rate: 'max', injector: file });
    await expect.poll(async () => (await seen('p_src'))?.reason).toMatch(/missing\.jsonl/);
    const failed = await seen('p_src');
    expect([failed?.observed, failed?.retryAt !== undefined]).toEqual(['failed', true]);
    await deploy({ id: 'p_src', rate: 100 });
    await expect.poll(() => state('p_src')).toBe('running');
    await deploy({ id: 'p_src', rate: 'max', injector: file });
    await expect.poll(async () => (await seen('p_src'))?.reason).toMatch(/version 1 cannot run/);
    expect(await seen('p_src')).toMatchObject({ observed: 'running', observedVersion: 2 });
    await wish('p_src', 'stopped', true);
    await expect.poll(() => state('p_src')).toBe('stopped');
  });

  test('Y1: state that nobody agreed to lose stays, and the version before goes on', async () => {
    await deploy({ id: 'p_lose', rate: 100 });
    await expect.poll(() => rows('p_lose')).toBeGreaterThan(10);
    await deploy({ id: 'p_lose', rate: 100, node: 'n_other' });
    await expect.poll(async () => (await seen('p_lose'))?.reason).toMatch(/n_code would go/);
    expect(await seen('p_lose')).toMatchObject({ observed: 'running', observedVersion: 1 });
    await deploy({ id: 'p_lose', rate: 100, node: 'n_other' }, { dropState: ['n_code'], plannedFrom: 1 });
    await expect.poll(async () => (await seen('p_lose'))?.observedVersion).toBe(2);
    await expect.poll(() => state('p_lose')).toBe('running');
    await wish('p_lose', 'stopped', true);
    await expect.poll(() => state('p_lose')).toBe('stopped');
  });

  test('code that does not load fails its pipeline alone, and is not tried again by itself', async () => {
    await deploy({ id: 'p_fine', rate: 100 });
    await deploy({ id: 'p_bad', rate: 100, code: 'throw new Error("not today");' });
    await expect.poll(() => state('p_bad')).toBe('failed');
    expect(await seen('p_bad')).toMatchObject({
      reason: expect.stringContaining('not today'),
      retryAt: undefined,
    });
    expect(await state('p_fine')).toBe('running');
    await wish('p_fine', 'stopped', true);
    await expect.poll(() => state('p_fine')).toBe('stopped');
  });

  test('a pipeline at whose start the host has ended three times is left alone until somebody acts', async () => {
    await deploy({ id: 'p_loop', rate: 100 }, { desired: 'stopped' });
    await host.stop(5_000);
    const identity = { pid: process.pid, hostName: 'elsewhere', processStarted: '' };
    await store.deployments.setDesired('p_loop', { desired: 'running' });
    const { revision } = (await seen('p_loop')) as Deployment;
    for (let crash = 0; crash < 3; crash++) {
      const { host: number } = await store.deployments.claim(identity);
      await store.deployments.observe(number, { pipeline: 'p_loop', state: 'starting', since: 1, revision });
    }
    host = supervise();
    await expect.poll(() => state('p_loop')).toBe('failed');
    expect((await seen('p_loop'))?.reason).toMatch(/ended 3 times while this pipeline was starting/);
    await wish('p_loop', 'running');
    await expect.poll(() => state('p_loop')).toBe('running');
    await wish('p_loop', 'stopped', true);
    await expect.poll(() => state('p_loop')).toBe('stopped');
  });

  test('--paused: nothing paused is started before somebody resumes it', async () => {
    await deploy({ id: 'p_held', rate: 100 });
    await expect.poll(() => state('p_held')).toBe('running');
    await host.stop(5_000);
    expect(await store.deployments.pauseAll()).toContain('p_held');
    host = supervise(true);
    await expect.poll(() => state('p_held')).toBe('paused');
    expect((await host.request('watch', { pipeline: 'p_held', everyMs: 100 })).kind).toBe('answer');
    await wish('p_held', 'running');
    await expect.poll(() => state('p_held')).toBe('running');
    await wish('p_held', 'stopped');
    await expect.poll(() => state('p_held')).toBe('stopped');
  });
});
