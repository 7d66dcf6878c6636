/**
 * Job queues in Postgres doing one job a record: pg-boss and graphile-worker, each as its manual says to use it for
 * throughput. What favours them is left out of the measured time: the jobs are there before it begins, put in in
 * bulk. A job counts its key by an upsert, as a record of ours does.
 */
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import PgBoss from 'pg-boss';
import { scatter } from '../run/record-chunks.ts';
import type { Workshop } from '../run/workshop.ts';

export interface JobQueueOptions {
  readonly keys: number;
  readonly seconds: number;
}

type Place = Pick<Workshop, 'connect' | 'address'>;

const CONNECTIONS = 8;
const BATCH = 1_000;
/** More than either of them does in a second on machines of today, so that the queue never runs dry. */
const JOBS_PER_SECOND = 12_000;

const countKey = {
  name: 'bench-count-key',
  text: `insert into bench_jobs_done as c (key, n) values ($1, 1)
         on conflict (key) do update set n = c.n + 1`,
};

/** Jobs done per second. */
export async function pgBossJobsPerSecond(place: Place, options: JobQueueOptions): Promise<number> {
  return withCounts(place, async (pool) => {
    const boss = new PgBoss({
      ...connection(place),
      schema: 'bench_pgboss',
      max: CONNECTIONS,
      supervise: false,
    });
    // Its own errors end the run through the calls below.
    boss.on('error', () => undefined);
    await boss.start();
    try {
      await boss.createQueue('count');
      for (const batch of batches(options))
        await boss.insert(batch.map((key) => ({ name: 'count', data: { key } })));
      const meter = new Meter(options.seconds);
      const loops = Array.from({ length: CONNECTIONS }, async () => {
        while (!meter.over) {
          const jobs = await boss.fetch<{ key: string }>('count', { batchSize: BATCH / CONNECTIONS });
          if (jobs.length === 0) throw new Error('pg-boss did all its jobs before the time was over');
          for (const job of jobs) await pool.query({ ...countKey, values: [job.data.key] });
          await boss.complete(
            'count',
            jobs.map((job) => job.id),
          );
          meter.add(jobs.length);
        }
      });
      await Promise.all(loops);
      return meter.rate();
    } finally {
      await boss.stop({ graceful: false, close: true });
      await pool.query('drop schema bench_pgboss cascade');
    }
  });
}

/** Jobs done per second. */
export async function graphileJobsPerSecond(place: Place, options: JobQueueOptions): Promise<number> {
  return withCounts(place, async (pool) => {
    const shared = { pgPool: pool, schema: 'bench_graphile', logger: new Logger(() => () => undefined) };
    const utils = await makeWorkerUtils(shared);
    try {
      await utils.migrate();
      for (const batch of batches(options))
        await pool.query(
          `select count(*) from bench_graphile.add_jobs(array(
             select json_populate_record(null::bench_graphile.job_spec,
               json_build_object('identifier', 'count', 'payload', json_build_object('key', key)))
             from unnest($1::text[]) key))`,
          [batch],
        );
      const meter = new Meter(options.seconds);
      const runner = await run({
        ...shared,
        concurrency: CONNECTIONS * 4,
        noHandleSignals: true,
        pollInterval: 100,
        taskList: {
          count: async (payload) => {
            await pool.query({ ...countKey, values: [(payload as { key: string }).key] });
            meter.add(1);
          },
        },
      });
      await meter.ended;
      const rate = meter.rate();
      await runner.stop();
      return rate;
    } finally {
      await utils.release();
      await pool.query('drop schema bench_graphile cascade');
    }
  });
}

/** Ends with its time, or with the first job where a busy machine has done none by then: there is no rate of nothing. */
class Meter {
  readonly #begun = performance.now();
  readonly #endsAt: number;
  readonly ended: Promise<void>;
  #end!: () => void;
  #done = 0;

  constructor(seconds: number) {
    this.#endsAt = this.#begun + seconds * 1000;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    setTimeout(() => this.over && this.#end(), seconds * 1000 + 1);
  }

  get over(): boolean {
    return this.#done > 0 && performance.now() >= this.#endsAt;
  }

  add(jobs: number): void {
    this.#done += jobs;
    if (this.over) this.#end();
  }

  rate(): number {
    return (this.#done * 1000) / (performance.now() - this.#begun);
  }
}

function* batches({ keys, seconds }: JobQueueOptions): Iterable<string[]> {
  const jobs = Math.ceil(seconds * JOBS_PER_SECOND);
  for (let at = 0; at < jobs; at += BATCH)
    yield Array.from({ length: BATCH }, (_, i) => `k${String(scatter(at + i) % keys).padStart(7, '0')}`);
}

async function withCounts(place: Place, use: (pool: pg.Pool) => Promise<number>): Promise<number> {
  const pool = new pg.Pool({ ...place.address, max: CONNECTIONS });
  pool.on('error', () => undefined);
  try {
    await pool.query('drop table if exists bench_jobs_done');
    await pool.query('create table bench_jobs_done (key text primary key, n bigint not null)');
    await pool.query('checkpoint');
    return await use(pool);
  } finally {
    await pool.query('drop table if exists bench_jobs_done');
    await pool.end();
  }
}

function connection({ address }: Place) {
  const { host, port, user, database } = address;
  return { host: String(host), port: Number(port), user: String(user), database: String(database) };
}
