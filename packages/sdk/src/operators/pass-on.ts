import type { Context, StreamRecord } from '../api.ts';

/** Produces in place of `record`: same key, same timestamp, and still of the same pane. */
export function passOn<T>(record: StreamRecord, value: T, ctx: Context<{ out: T }>): void {
  if (record.pane === undefined) ctx.produce('out', value);
  else ctx.produce('out', value, { pane: record.pane });
}
