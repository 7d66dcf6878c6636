import { listDeadLetters } from '@millrace/store';
import { expect, test } from 'vitest';
import { type CountingPipeline, deployVersion, tableOf } from '../testing/counting-pipeline.ts';
import { supervisedHost } from '../testing/supervised-host.ts';

const COUNT = 300;
const NUMBERS = Array.from({ length: COUNT }, (_, n) => n);
const run = supervisedHost('redrive-at-rest');

const codeThat = (breaks: string) => `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { rows: { n: number; product: number; seen: number } }

export default computation<Inputs, Outputs, number>({
  processRecord(record, ctx) {
    const { n } = record.value as { n: number };
    if (n >= ${COUNT}) return;
    ${breaks}
    ctx.produce('rows', { n, product: n, seen: 0 });
  },
});
`;

async function deploy(pipeline: CountingPipeline, plannedFrom?: number): Promise<void> {
  await deployVersion(run.store, pipeline, { workers: 2, plannedFrom });
  run.host.nudge(pipeline.id);
}

const seen = (id: string) => run.store.deployments.get(id);
const stateOf = async (id: string) => (await seen(id))?.observed;
const lettersOf = (id: string) => listDeadLetters(run.store.database, id, { limit: 5_000 });
const rowsOf = async (id: string): Promise<number[]> => {
  const rows = await run.store.query(`select n::int4 as n from ${tableOf(id)} order by 1`);
  return rows.map(({ n }) => n as number);
};

async function kill(): Promise<void> {
  await expect.poll(() => run.host.isReady && run.host.pid !== undefined).toBe(true);
  process.kill(run.host.pid as number, 'SIGKILL');
  await expect.poll(() => run.host.isReady).toBe(true);
}

const redrive = (id: string, numbers: readonly number[]) =>
  run.host.request('redrive', { pipeline: id, choice: { numbers: [...numbers] } });

/** Twice the host dies: when a run for letters begins, and when what it delivers is only in the log. */
async function redriveWithKills(id: string, rests: 'ended' | 'stopped'): Promise<void> {
  const numbers = (await lettersOf(id)).map(({ number }) => number);
  const first = redrive(id, numbers.slice(0, 40));
  await expect.poll(() => stateOf(id), { interval: 10 }).toBe('redriving');
  await kill();
  await first;
  await expect.poll(() => stateOf(id)).toBe(rests);
  const left = (await lettersOf(id)).map(({ number }) => number);
  const answer = await redrive(id, left);
  expect(answer).toMatchObject({ kind: 'answer', body: { redriven: left.length, refusedCount: 0 } });
  await kill();
  await expect.poll(() => stateOf(id)).toBe(rests);
  await expect.poll(() => rowsOf(id)).toEqual(NUMBERS);
  expect(await lettersOf(id)).toEqual([]);
  expect(await seen(id)).toMatchObject({ observed: rests, startCrashes: 0 });
}

test('RV7: of a pipeline whose input has ended letters are redriven once whatever dies, and it ends again', async () => {
  const id = 'p_ended';
  await deploy({ id, rate: 'max', count: COUNT, code: codeThat('if (n % 3 === 0) throw new Error("no");') });
  await expect.poll(() => stateOf(id)).toBe('ended');
  await expect.poll(async () => (await lettersOf(id)).length).toBe(COUNT / 3);
  await deploy({ id, rate: 'max', count: COUNT, code: codeThat('') }, 1);
  await expect.poll(async () => (await seen(id))?.observedVersion === 2 && (await stateOf(id))).toBe('ended');
  await redriveWithKills(id, 'ended');
});

test('RV7: of a stopped pipeline letters are redriven once whatever dies, and it stays stopped', async () => {
  const id = 'p_stopped';
  await run.store.query(
    `create table ${tableOf(id)} (n bigint, product bigint, seen bigint, constraint no_third check (n % 3 <> 0))`,
  );
  await run.store.query(`alter table ${tableOf(id)} owner to millrace_data`);
  await deploy({ id, rate: 2_000, code: codeThat('') });
  await expect.poll(async () => (await lettersOf(id)).length).toBe(COUNT / 3);
  await run.store.deployments.setDesired(id, { desired: 'stopped' });
  run.host.nudge(id);
  await expect.poll(() => stateOf(id)).toBe('stopped');
  await run.store.query(`alter table ${tableOf(id)} drop constraint no_third`);
  const { startedAt } = (await seen(id)) ?? {};
  await redriveWithKills(id, 'stopped');
  expect((await seen(id))?.startedAt).toBe(startedAt);
});

test('a pipeline that was ended at once says that it has to be started first', async () => {
  const id = 'p_stopped';
  await run.store.deployments.setDesired(id, { desired: 'stopped', abandon: true });
  expect(await redrive(id, [1])).toMatchObject({
    kind: 'refused',
    code: 'not-running',
    message: expect.stringContaining('start it'),
  });
  expect(await stateOf(id)).toBe('stopped');
});
