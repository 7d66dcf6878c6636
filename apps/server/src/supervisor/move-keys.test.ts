import { expect, test } from 'vitest';
import { deployVersion, tableOf } from '../testing/counting-pipeline.ts';
import { supervisedHost } from '../testing/supervised-host.ts';

const ID = 'p_moving';
const COUNT = 8_000;
const MOVES = 18;
/** So many workers from that move on. */
const SIZES: Readonly<Record<number, number>> = { 4: 4, 9: 1, 14: 3 };
const run = supervisedHost('move-keys');

const code = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { rows: { n: number; product: number; seen: number } }

export default computation<Inputs, Outputs, number>({
  processRecord(record, ctx) {
    const { n } = record.value as { n: number };
    const seen = (ctx.state.get() ?? 0) + 1;
    ctx.state.set(seen);
    ctx.produce('rows', { n, product: n, seen });
  },
});
`;

test('M23, Y5: keys move between running workers, which come and go, under load, and a host that is killed on the way loses and repeats nothing', async () => {
  const { store, host } = run;
  await deployVersion(store, { id: ID, rate: 2_000, count: COUNT, code }, { workers: 2 });
  host.nudge(ID);
  const isRunning = async () => (await store.deployments.get(ID))?.observed === 'running';
  await expect.poll(isRunning).toBe(true);

  const hash = (share: number) =>
    Math.floor(share * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  let moved = 0;
  let kills = 0;
  for (let i = 0; i < MOVES && (await isRunning()); i++) {
    const workers = SIZES[i];
    if (workers !== undefined) {
      await store.deployments.setWorkers(ID, { workers });
      host.nudge(ID);
    }
    const range = { from: hash((i * 0.37) % 0.9), ...(i % 3 === 0 ? {} : { to: hash(0.95) }) };
    const asked = host.request('move-keys', { pipeline: ID, ...range, slot: i % 2 });
    if (i % 6 === 5 && host.pid !== undefined && host.isReady) {
      process.kill(host.pid, 'SIGKILL');
      kills++;
    }
    const answer = await asked;
    if (answer.kind === 'answer') moved += answer.body.moves;
    await expect.poll(() => host.isReady).toBe(true);
  }
  expect(moved).toBeGreaterThan(0);
  expect(kills).toBeGreaterThan(0);

  await expect.poll(async () => (await store.deployments.get(ID))?.observed).toBe('ended');
  const rows = (await store.query(
    `select n::int4 as n, seen::int4 as seen from ${tableOf(ID)} order by n`,
  )) as { n: number; seen: number }[];
  expect(rows.length).toBe(COUNT);
  expect(rows.filter(({ n, seen }, i) => n !== i || seen !== Math.floor(n / 10) + 1)).toEqual([]);
});
