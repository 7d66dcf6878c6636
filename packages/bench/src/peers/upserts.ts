/**
 * A design without a log: every record is an upsert of its key's row. One of them a commit; a thousand a commit, run one
 * after the other inside the server, so that no round trip is counted; or a thousand as one statement, which is a
 * micro-batch rather than a record at a time.
 */
import { scatter } from '../run/record-chunks.ts';
import type { Workshop } from '../run/workshop.ts';

export type UpsertForm = 'a commit each' | '1,000 a commit' | '1,000 a statement';

export interface UpsertOptions {
  readonly keys: number;
  readonly form: UpsertForm;
  readonly seconds: number;
}

const CONNECTIONS = 8;
const BATCH = 1_000;

const one = {
  name: 'bench-upsert-one',
  text: `insert into bench_counts as c (key, n) values ($1, 1)
         on conflict (key) do update set n = c.n + 1`,
};

const eachFunction = `
  create or replace function bench_upserts(keys text[]) returns void language plpgsql as $$
  declare next text;
  begin
    foreach next in array keys loop
      insert into bench_counts as c (key, n) values (next, 1) on conflict (key) do update set n = c.n + 1;
    end loop;
  end $$`;

/** Keys in order, or two of these would wait for each other for ever. */
const each = {
  name: 'bench-upsert-each',
  text: 'select bench_upserts(array(select key from unnest($1::text[]) key order by key))',
};

/** Equal keys of one batch become one row first: a statement may touch a row once only. */
const many = {
  name: 'bench-upsert-many',
  text: `insert into bench_counts as c (key, n)
         select key, count(*) from unnest($1::text[]) key group by key order by key
         on conflict (key) do update set n = c.n + excluded.n`,
};

/** Records per second over all connections; all keys have their row before it is measured. */
export async function upsertsPerSecond(
  { connect }: Pick<Workshop, 'connect'>,
  { keys, form, seconds }: UpsertOptions,
): Promise<number> {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, connect));
  const [first] = clients;
  if (first === undefined) throw new Error('there is no connection');
  await first.query('drop table if exists bench_counts');
  await first.query('create table bench_counts (key text primary key, n bigint not null)');
  await first.query(
    `insert into bench_counts select 'k' || lpad(k::text, 7, '0'), 1 from generate_series(0, $1::int4 - 1) k`,
    [keys],
  );
  await first.query(eachFunction);
  await first.query('checkpoint');
  const begun = performance.now();
  const end = begun + seconds * 1000;
  let drawn = 0;
  const next = (): string => `k${String(scatter(drawn++) % keys).padStart(7, '0')}`;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end)
        if (form === 'a commit each') await client.query({ ...one, values: [next()] });
        else {
          const statement = form === '1,000 a commit' ? each : many;
          await client.query({ ...statement, values: [Array.from({ length: BATCH }, next)] });
        }
    }),
  );
  const rate = (drawn * 1000) / (performance.now() - begun);
  await first.query('drop table bench_counts');
  await Promise.all(clients.map((client) => client.end()));
  return rate;
}
