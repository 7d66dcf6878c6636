import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore, type Store } from '../store.ts';
import { dataFolder } from '../testing/data-folder.ts';
import type { Deployment, DeployRequest } from './deployment-store.ts';

const request = (pipeline: string, more: Partial<DeployRequest> = {}): DeployRequest => ({
  pipeline,
  workspace: 'w_default',
  version: 1,
  desired: 'running',
  workers: 1,
  plannedFrom: undefined,
  dropState: [],
  folder: undefined,
  actor: 'u_1',
  message: '',
  ...more,
});
const identity = { pid: process.pid, hostName: 'here', processStarted: '1' };

describe('deployments', () => {
  const folder = dataFolder();
  let owner: Store;
  let store: Store;

  beforeAll(async () => {
    owner = await openStore({ dataDir: folder.path }, () => undefined);
    store = await openStore(await owner.address(), () => undefined);
  });

  afterAll(async () => {
    await store.close();
    await owner.close();
    await folder.remove();
  });

  const got = async (pipeline: string) => (await store.deployments.get(pipeline)) as Deployment;

  test('DS1: a deploy is a wish with a new revision and an entry of the history', async () => {
    await store.deployments.deploy(request('p_a', { message: 'first' }));
    await store.deployments.deploy(request('p_a', { version: 2, dropState: ['n_x'], plannedFrom: 1 }));
    expect(await got('p_a')).toMatchObject({ version: 2, revision: 2, observed: 'stopped', plannedFrom: 1 });
    expect(await store.deployments.history('p_a', { limit: 10 })).toMatchObject([
      { number: 2, version: 2, previous: 1, dropped: ['n_x'] },
      { number: 1, version: 1, previous: undefined, message: 'first', actor: 'u_1' },
    ]);
    expect(await store.deployments.history('p_a', { before: 2, limit: 10 })).toHaveLength(1);
    // As far as a forged cursor can go.
    const far = { before: Number.MAX_SAFE_INTEGER, limit: 10 };
    expect(await store.deployments.history('p_a', far)).toHaveLength(2);
  });

  test('a wish made for another revision is refused', async () => {
    await store.deployments.deploy(request('p_b'));
    expect(await store.deployments.setDesired('p_b', { desired: 'stopped', ifRevision: 7 })).toBe('changed');
    expect(await store.deployments.deploy(request('p_b', { ifRevision: 0 }))).toBe('changed');
    expect(await store.deployments.setDesired('p_none', { desired: 'stopped' })).toBe('absent');
    const stopped = { desired: 'stopped', abandon: true, ifRevision: 1 } as const;
    expect(await store.deployments.setDesired('p_b', stopped)).toMatchObject({ revision: 2, abandon: true });
  });

  test('DS2: what an older host observes is refused once a newer one has claimed', async () => {
    await store.deployments.deploy(request('p_c'));
    const old = await store.deployments.claim(identity);
    const seen = { pipeline: 'p_c', state: 'running', since: 5, version: 1, revision: 1 } as const;
    expect(await store.deployments.observe(old.host, seen)).toBe('kept');
    const next = await store.deployments.claim(identity);
    expect(next.older.map(({ number }) => number)).toContain(old.host);
    expect(await store.deployments.observe(old.host, { ...seen, state: 'failed' })).toBe('fenced');
    expect(await got('p_c')).toMatchObject({ observed: 'running', observedVersion: 1, observedAt: 5 });
    await store.deployments.forgetHosts([old.host]);
    expect((await store.deployments.claim(identity)).older.map(({ number }) => number)).not.toContain(
      old.host,
    );
  });

  test('a pipeline that was starting when its host ended is counted, until it runs or somebody acts', async () => {
    await store.deployments.deploy(request('p_d'));
    const starting = { pipeline: 'p_d', state: 'starting', since: 5, revision: 1 } as const;
    for (const crashes of [0, 1, 2]) {
      const { host, deployments } = await store.deployments.claim(identity);
      expect(deployments.find(({ pipeline }) => pipeline === 'p_d')?.startCrashes).toBe(crashes);
      await store.deployments.observe(host, starting);
    }
    await store.deployments.setDesired('p_d', { desired: 'running' });
    expect((await got('p_d')).startCrashes).toBe(0);
    const { host } = await store.deployments.claim(identity);
    expect((await got('p_d')).startCrashes).toBe(1);
    await store.deployments.observe(host, { ...starting, state: 'running' });
    expect((await got('p_d')).startCrashes).toBe(0);
  });

  test('pausing all changes only what should run', async () => {
    await store.deployments.deploy(request('p_e', { desired: 'stopped' }));
    const changed = await store.deployments.pauseAll();
    expect(changed).toContain('p_d');
    expect(changed).not.toContain('p_e');
    expect(await got('p_d')).toMatchObject({ desired: 'paused' });
  });
});
