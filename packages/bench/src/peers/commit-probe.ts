/**
 * A process of its own that commits one small row again and again, beside whatever else the machine does, and
 * tells how long each commit took. Its own event loop is empty, so it times Postgres and not a busy host.
 *
 * In: the address of the server; `reset`: forget what was timed; `stop`. Out: `ready`; at the end the milliseconds.
 */
import pg from 'pg';

const PAUSE_MS = 5;

process.once('message', (address) => {
  void probe(address as pg.ClientConfig);
});

async function probe(address: pg.ClientConfig): Promise<void> {
  let stopped = false;
  let milliseconds: number[] = [];
  process.on('message', (word) => {
    if (word === 'reset') milliseconds = [];
    else stopped = true;
  });
  const client = new pg.Client(address);
  await client.connect();
  await client.query('create table if not exists bench_commits (n bigint not null)');
  process.send?.('ready');
  while (!stopped) {
    const begun = performance.now();
    await client.query({ name: 'probe', text: 'insert into bench_commits values ($1)', values: [1] });
    milliseconds.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  await client.end();
  process.send?.(milliseconds, undefined, undefined, () => process.exit(0));
}
