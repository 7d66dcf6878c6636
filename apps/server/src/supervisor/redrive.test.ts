import { getDeadLetter, listDeadLetters } from '@millrace/store';
import { expect, test } from 'vitest';
import { deployVersion, tableOf } from '../testing/counting-pipeline.ts';
import { supervisedHost } from '../testing/supervised-host.ts';

const ID = 'p_dead';
const COUNT = 1_500;
const run = supervisedHost('redrive');

/** The input never ends, so that the pipeline goes on running; behind `COUNT` nothing comes of it. */
const codeThat = (breaks: string) => `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { rows: { n: number; product: number; seen: number } }

export default computation<Inputs, Outputs, number>({
  processRecord(record, ctx) {
    const { n } = record.value as { n: number };
    if (n >= ${COUNT}) return;
    if (n === 1) {
      ctx.log.info('number', n);
      console.warn('printed', { n });
    }
    ${breaks}
    const seen = (ctx.state.get() ?? 0) + 1;
    ctx.state.set(seen);
    ctx.produce('rows', { n, product: n, seen });
  },
});
`;

async function deploy(breaks: string, plannedFrom?: number): Promise<void> {
  const { store, host } = run;
  const pipeline = { id: ID, rate: 2_000, code: codeThat(breaks) };
  const version = await deployVersion(store, pipeline, { workers: 2, plannedFrom });
  host.nudge(ID);
  await expect
    .poll(async () => {
      const seen = await store.deployments.get(ID);
      return seen?.observed === 'running' && seen.observedVersion === version;
    })
    .toBe(true);
}

const lettersOf = (node: string) => listDeadLetters(run.store.database, ID, { limit: 5_000, node });
const rowsOf = async (): Promise<{ n: number }[]> =>
  (await run.store.query(`select n::int4 as n from ${tableOf(ID)} order by 1`)) as { n: number }[];

test('P8: dead letters of code and of a sink are redriven after a fix, and a host killed meanwhile neither loses nor doubles one', async () => {
  const { store, host } = run;
  await store.query(
    `create table ${tableOf(ID)} (n bigint, product bigint, seen bigint, constraint no_seven check (n % 100 <> 7))`,
  );
  await store.query(`alter table ${tableOf(ID)} owner to millrace_data`);
  await deploy('if (n % 3 === 0) throw new Error("cannot take " + n);');
  const failing = Math.ceil(COUNT / 3);
  const refused = Array.from({ length: COUNT }, (_, n) => n).filter(
    (n) => n % 100 === 7 && n % 3 !== 0,
  ).length;
  await expect.poll(async () => (await lettersOf('n_code')).length).toBe(failing);
  await expect.poll(async () => (await lettersOf('n_out')).length).toBe(refused);
  const logged = () => host.request('logs-read', { pipeline: ID, waitMs: 0 });
  await expect.poll(logged).toMatchObject({
    kind: 'answer',
    body: {
      lines: [
        {
          node: 'n_code',
          level: 'info',
          text: 'number 1',
          place: expect.stringMatching(/^nodes.code\.ts:11:\d+$/),
        },
        {
          node: 'n_code',
          level: 'warn',
          text: 'printed {"n":1}',
          place: expect.stringMatching(/^nodes.code\.ts:12:\d+$/),
        },
      ],
    },
  });
  await deploy('', 1);

  const [first] = await lettersOf('n_code');
  const group = first?.group as string;
  let kills = 0;
  for (let left = 200; (await lettersOf('n_code')).length > 0; left--) {
    expect(left).toBeGreaterThan(0);
    // By number, a few at a time, so that there is something to kill in the middle of.
    const numbers = (await lettersOf('n_code')).slice(0, 40).map(({ number }) => number);
    const asked = host.request('redrive', { pipeline: ID, choice: { numbers } });
    if (kills < 3) {
      await new Promise((resolve) => setTimeout(resolve, kills * 3));
      if (host.pid !== undefined && host.isReady) {
        process.kill(host.pid, 'SIGKILL');
        kills++;
      }
    }
    await asked;
    await expect.poll(() => host.isReady).toBe(true);
  }
  expect(kills).toBe(3);
  const none = await host.request('redrive', { pipeline: ID, choice: { group, above: 0 } });
  expect(none).toMatchObject({ kind: 'answer', body: { redriven: 0, refusedCount: 0 } });

  const runtime = () => host.request('runtime', { pipeline: ID });
  await expect.poll(runtime).toMatchObject({
    kind: 'answer',
    body: {
      version: 2,
      workers: [
        { slot: 0, share: 0.5, state: 'running', restarts: 0 },
        { slot: 1, share: 0.5, state: 'running', watermarks: { n_code: { kind: 'at' } } },
      ],
      intervals: [
        {
          nodes: ['n_code'],
          intervals: [
            { from: '00000000', to: '80000000', slot: 0 },
            { from: '80000000', slot: 1 },
          ],
        },
      ],
    },
  });
  expect(JSON.stringify(await runtime())).not.toContain('pid');
  const biggest = await host.request('state-biggest', { pipeline: ID, node: 'n_code', count: 3 });
  expect(biggest).toMatchObject({ body: { biggest: { lookedAt: 10, complete: true } } });

  // Those of the sink: its table is what was wrong.
  const sevens = Array.from({ length: COUNT }, (_, n) => n).filter((n) => n % 100 === 7);
  await expect.poll(async () => (await lettersOf('n_out')).length).toBe(sevens.length);
  await store.query(`alter table ${tableOf(ID)} drop constraint no_seven`);
  const [row] = await lettersOf('n_out');
  const answer = await host.request('redrive', {
    pipeline: ID,
    choice: { group: row?.group as string, above: 0 },
  });
  expect(answer).toMatchObject({ kind: 'answer', body: { redriven: sevens.length, refusedCount: 0 } });
  await expect
    .poll(async () => (await rowsOf()).map(({ n }) => n))
    .toEqual(Array.from({ length: COUNT }, (_, n) => n));
  expect(await getDeadLetter(store.database, ID, row?.number as number)).toBeUndefined();

  await store.deployments.setDesired(ID, { desired: 'stopped', abandon: false });
  host.nudge(ID);
  await expect.poll(async () => (await store.deployments.get(ID))?.observed).toBe('stopped');
  expect((await rowsOf()).length).toBe(COUNT);
});
