/** The embedded server of one run, seen from outside: where it is, a connection to it, its end. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface ServerPlace {
  readonly pid: number;
  readonly host: string;
  readonly port: number;
}

/** Undefined while no server has written its pid file. */
export function serverOf(dataFolder: string): ServerPlace | undefined {
  for (const cluster of clustersOf(dataFolder)) {
    try {
      const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
      const [pid, , , port, socketFolder] = lines;
      if (socketFolder) return { pid: Number(pid), host: socketFolder, port: Number(port) };
    } catch {
      // Not this one.
    }
  }
  return undefined;
}

function clustersOf(dataFolder: string): string[] {
  const inside = join(dataFolder, 'postgres');
  try {
    return [inside, readFileSync(join(dataFolder, 'postgres.location'), 'utf8').trim()];
  } catch {
    return [inside];
  }
}

export async function connect(dataFolder: string): Promise<pg.Client> {
  const place = serverOf(dataFolder);
  if (place === undefined) throw new Error(`no Postgres runs in ${dataFolder}`);
  const client = new pg.Client({
    host: place.host,
    port: place.port,
    user: 'millrace',
    database: 'postgres',
    ssl: false,
  });
  // A server that is killed ends the connection; whoever waits for an answer hears of it there.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

export async function endServer(dataFolder: string): Promise<void> {
  const place = serverOf(dataFolder);
  if (place === undefined) return;
  try {
    process.kill(place.pid, 'SIGQUIT');
    for (let i = 0; i < 500; i++) {
      process.kill(place.pid, 0);
      await sleep(10);
    }
  } catch {
    // It is gone.
  }
}

/** Keeps the commit with this key inside the database until `letGo`: a row with the same key is not yet decided. */
export async function holdCommit(
  dataFolder: string,
  bundle: { readonly slot: number; readonly sequencer: number; readonly bundleNumber: number },
): Promise<{ waiting(): Promise<number>; letGo(): Promise<void> }> {
  const rival = await connect(dataFolder);
  const watch = await connect(dataFolder);
  const { rows } = await rival.query<{ segment: number }>(
    `select number * 4 + current_segment as segment from millrace.pipelines where id = 'p_sweep'`,
  );
  await rival.query('begin');
  await rival.query('insert into millrace.bundles values ($1, $2, $3, $4, 1, $5)', [
    rows[0]?.segment,
    bundle.slot,
    bundle.sequencer,
    bundle.bundleNumber,
    Buffer.from('rival'),
  ]);
  return {
    async waiting() {
      const found = await watch.query<{ n: number }>(
        `select count(*)::int4 as n from pg_stat_activity where wait_event_type = 'Lock'`,
      );
      return found.rows[0]?.n ?? 0;
    },
    async letGo() {
      await rival.query('rollback').catch(() => undefined);
      await rival.end();
      await watch.end();
    },
  };
}
