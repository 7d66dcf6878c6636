/**
 * Rate limits that outlive a restart, as GCRA: a bucket holds the moment its next attempt would be due if all
 * had come evenly spaced; an attempt is refused while that lies more than the burst in the future. One row, one
 * statement; a refusal only reads, so that a flood of them costs no write.
 */
import { createHash } from 'node:crypto';
import type { Sql } from '../sql/database.ts';

export interface RateLimit {
  /** What is limited, such as `login:address:10.0.0.1`. Stored as its hash. */
  readonly bucket: string;
  /** One attempt per this long, in the long run. */
  readonly everyMs: number;
  /** So many at once. */
  readonly burst: number;
}

/** $1 bucket, $2 every (ms), $3 burst. Milliseconds to wait; not positive: go on. */
const WAIT = `
select extract(epoch from due_at - now()) * 1000 - $2::float8 * ($3::float8 - 1) as wait
  from millrace.rate_limits where bucket = $1`;
/** $1 bucket, $2 every (ms), $3 burst. Changes a row if the attempt is within the limit. */
const TAKE = `
insert into millrace.rate_limits as r (bucket, due_at) values ($1, now() + interval '1 millisecond' * $2::float8)
on conflict (bucket) do update set due_at = greatest(r.due_at, now()) + interval '1 millisecond' * $2::float8
 where r.due_at <= now() + interval '1 millisecond' * ($2::float8 * ($3::float8 - 1))`;
/** $1 bucket. */
const FORGIVE = 'delete from millrace.rate_limits where bucket = $1';
/** $1 bucket, $2 every (ms). */
const GIVE_BACK = `
update millrace.rate_limits set due_at = due_at - interval '1 millisecond' * $2::float8 where bucket = $1`;
const SWEEP = 'delete from millrace.rate_limits where due_at < now()';

/** 0 when the attempt may go on (and is counted), else how long to wait, in milliseconds. */
export async function takeAttempt(sql: Sql, { bucket, everyMs, burst }: RateLimit): Promise<number> {
  const values = [keyOf(bucket), everyMs, burst];
  const waitMs = await waitOf(sql, values);
  if (waitMs > 0) return waitMs;
  if ((await sql.change(TAKE, values)) === 1) return 0;
  // Others took what was left between the two statements.
  return Math.max(1, await waitOf(sql, values));
}

/** Forgets all attempts of a bucket. */
export async function forgiveAttempts(sql: Sql, { bucket }: RateLimit): Promise<void> {
  await sql.change(FORGIVE, [keyOf(bucket)]);
}

/** An attempt that turned out well does not count. */
export async function giveBackAttempt(sql: Sql, { bucket, everyMs }: RateLimit): Promise<void> {
  await sql.change(GIVE_BACK, [keyOf(bucket), everyMs]);
}

export async function sweepRateLimits(sql: Sql): Promise<void> {
  await sql.change(SWEEP);
}

async function waitOf(sql: Sql, values: readonly unknown[]): Promise<number> {
  const [row] = await sql.rows<{ wait: string | number }>(WAIT, values);
  return row ? Number(row.wait) : 0;
}

const keyOf = (bucket: string): Buffer => createHash('sha256').update(bucket).digest();
