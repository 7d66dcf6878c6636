/** The ceiling of B3: the bundles of a run appended to Postgres again, as fast as it takes them. */
import type { TimedRun } from '../run/timed-run.ts';
import type { Workshop } from '../run/workshop.ts';

export interface AppendOptions {
  readonly run: TimedRun;
  readonly seconds: number;
}

/** Two connections keep the server busy while one answer is on its way. */
const CONNECTIONS = 2;
const TRUNCATE_BYTES = 512 << 20;

/** In records per second: bytes appended per second, at the run's bytes per record. */
export async function appendedPerSecond(
  { connect }: Pick<Workshop, 'connect'>,
  { run, seconds }: AppendOptions,
): Promise<number> {
  const bodies = run.meter.bodies.filter((body) => body !== undefined && body.length > 0);
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, connect));
  const [first] = clients;
  if (first === undefined || bodies.length === 0) throw new Error('there is nothing to append');
  await first.query('drop table if exists bench_log');
  await first.query('create table bench_log (position bigint primary key, body bytea not null)');
  await first.query('alter table bench_log alter column body set storage external');
  const begun = performance.now();
  const end = begun + seconds * 1000;
  let position = 0;
  let bytes = 0;
  let kept = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        const body = bodies[position % bodies.length] as Uint8Array;
        const values = [++position, Buffer.from(body.buffer, body.byteOffset, body.byteLength)];
        await client.query({ name: 'bench-append', text: 'insert into bench_log values ($1, $2)', values });
        bytes += body.length;
        kept += body.length;
        if (kept < TRUNCATE_BYTES) continue;
        kept = 0;
        await client.query('truncate bench_log');
      }
    }),
  );
  const bytesPerSecond = (bytes * 1000) / (performance.now() - begun);
  await first.query('drop table bench_log');
  await Promise.all(clients.map((client) => client.end()));
  return bytesPerSecond / run.logBytesPerRecord;
}
