import type { PipelineStore } from '@millrace/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore, type Store } from '../store.ts';
import { dataFolder } from '../testing/data-folder.ts';

/**
 * A commit is stopped between its check and its end by a row with its own primary key in a transaction that is
 * still open: the insert waits to see whether that row stays. What a claim does meanwhile is the question.
 */
describe('P6: a zombie commit', () => {
  const folder = dataFolder();
  let store: Store;

  beforeAll(async () => {
    store = await openStore({ dataDir: folder.path }, () => undefined);
  });
  afterAll(async () => {
    await store.close();
    await folder.remove();
  });

  test('a claim waits for a commit in flight, which then counts as before the claim', async () => {
    const { pipeline, sequencer, stopped } = await stoppedCommit(store, 'p_lock');
    let claimed = false;
    const claim = pipeline.claimWorker(0).then((next) => {
      claimed = true;
      return next;
    });
    await waitingSessions(store, 2);
    expect(claimed).toBe(false);
    await stopped.letGo();
    expect(await stopped.commit).toEqual(['committed']);
    expect(await claim).toBe(sequencer + 1);
  });

  test('a commit that waits for a claim is refused when the claim is through', async () => {
    const pipeline = await store.pipeline('p_stale');
    await pipeline.claimHost();
    const sequencer = await pipeline.claimWorker(0);
    const claim = await store.hold(`update millrace.leases set sequencer = sequencer + 1 where slot = 0
      and pipeline = (select number from millrace.pipelines where id = 'p_stale')`);
    const commit = pipeline.commit([
      { position: 1, slot: 0, sequencer, bundleNumber: 1, body: Buffer.from('late') },
    ]);
    await waitingSessions(store, 1);
    await claim.commit();
    expect(await commit).toEqual(['fenced']);
    expect(await pipeline.lastPosition()).toBe(0);
  });

  test('negative control: without the lock, a claim overtakes the commit and the zombie lands after it', async () => {
    await store.close();
    store = await openStore({ dataDir: folder.path }, () => undefined, { unlockedSequencerCheck: true });
    const { pipeline, sequencer, stopped } = await stoppedCommit(store, 'p_zombie');
    expect(await pipeline.claimWorker(0)).toBe(sequencer + 1);
    expect(await pipeline.lastPosition()).toBe(0);
    await stopped.letGo();
    expect(await stopped.commit).toEqual(['committed']);
    expect(await pipeline.lastPosition()).toBe(1);
  });
});

async function stoppedCommit(store: Store, id: string) {
  const pipeline: PipelineStore = await store.pipeline(id);
  await pipeline.claimHost();
  const sequencer = await pipeline.claimWorker(0);
  const [row] = await store.query('select number from millrace.pipelines where id = $1', [id]);
  const segment = Number(row!.number) * 4;
  const rival = await store.hold(
    `insert into millrace.bundles values (${segment}, 0, ${sequencer}, 1, 99, 'rival')`,
  );
  const commit = pipeline.commit([
    { position: 1, slot: 0, sequencer, bundleNumber: 1, body: Buffer.from('mine') },
  ]);
  await waitingSessions(store, 1);
  return { pipeline, sequencer, stopped: { commit, letGo: () => rival.rollback() } };
}

async function waitingSessions(store: Store, count: number): Promise<void> {
  const waiting = `select count(*)::int4 as n from pg_stat_activity where wait_event_type = 'Lock'`;
  await expect.poll(async () => (await store.query(waiting))[0]?.n, { timeout: 5_000 }).toBe(count);
}
