import type { SourceChunk } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { CHUNK_ORDINALS, dueOrdinals } from './ordinal-schedule.ts';

/** A clock that moves only while the schedule waits. */
function virtualTime(): {
  now: () => number;
  wait: (ms: number) => Promise<boolean>;
  jump(ms: number): void;
} {
  let at = 1_000_000;
  return {
    now: () => at,
    wait: async (ms) => {
      at += ms;
      return true;
    },
    jump: (ms) => {
      at += ms;
    },
  };
}

async function take(chunks: AsyncGenerator<SourceChunk>, most: number): Promise<SourceChunk[]> {
  const taken: SourceChunk[] = [];
  for await (const chunk of chunks) {
    taken.push(chunk);
    if (taken.length === most) break;
  }
  return taken;
}

const never = new AbortController().signal;

describe('numbered records', () => {
  it('each is due at its time, and waiting for the next is idle (W6)', async () => {
    const { now, wait } = virtualTime();
    const chunks = await take(dueOrdinals({ everyMs: 1000, count: 3, now, wait }, 0, never), 99);
    expect(chunks).toEqual([
      { kind: 'ordinals', first: 0, count: 1, time: 1_000_000, everyMs: 1000 },
      { kind: 'idle' },
      { kind: 'ordinals', first: 1, count: 1, time: 1_001_000, everyMs: 1000 },
      { kind: 'idle' },
      { kind: 'ordinals', first: 2, count: 1, time: 1_002_000, everyMs: 1000 },
      { kind: 'ended' },
    ]);
  });

  it('at full speed they come in chunks of 10,000 and none beyond the count', async () => {
    const { now, wait } = virtualTime();
    const chunks = await take(dueOrdinals({ everyMs: 0, count: 25_000, now, wait }, 0, never), 99);
    expect(chunks.map((chunk) => (chunk.kind === 'ordinals' ? chunk.count : chunk.kind))).toEqual([
      CHUNK_ORDINALS,
      CHUNK_ORDINALS,
      5_000,
      'ended',
    ]);
  });

  it('W6: what became due while nobody asked is handed over with its own times, without a word of idleness', async () => {
    const clock = virtualTime();
    const chunks = dueOrdinals({ everyMs: 10, count: undefined, ...clock }, 0, never);
    expect((await chunks.next()).value).toMatchObject({ first: 0, count: 1 });
    clock.jump(250_000);
    expect((await chunks.next()).value).toEqual({
      kind: 'ordinals',
      first: 1,
      count: CHUNK_ORDINALS,
      time: 1_000_010,
      everyMs: 10,
    });
    expect((await chunks.next()).value).toMatchObject({ first: 10_001, count: CHUNK_ORDINALS });
  });

  it('after a restart the next one is due at once; one that had ended has still ended', async () => {
    const { now, wait } = virtualTime();
    const schedule = { everyMs: 1000, count: 8, now, wait };
    expect((await take(dueOrdinals(schedule, 7, never), 1))[0]).toMatchObject({
      first: 7,
      count: 1,
      time: 1_000_000,
    });
    expect(await take(dueOrdinals(schedule, 8, never), 9)).toEqual([{ kind: 'ended' }]);
    expect(await take(dueOrdinals({ ...schedule, count: 0 }, 0, never), 9)).toEqual([{ kind: 'ended' }]);
  });

  it('a wall clock that jumps back an hour delays nothing and repeats nothing (T4)', async () => {
    const clock = virtualTime();
    const chunks = dueOrdinals({ everyMs: 1000, count: undefined, ...clock }, 0, never);
    await chunks.next();
    clock.jump(-3_600_000);
    const before = clock.now();
    expect((await chunks.next()).value).toEqual({ kind: 'idle' });
    expect((await chunks.next()).value).toMatchObject({ first: 1, count: 1 });
    expect(clock.now() - before).toBe(1000);
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    const chunks = dueOrdinals({ everyMs: 60_000, count: undefined, now: Date.now }, 0, stop.signal);
    await chunks.next();
    expect((await chunks.next()).value).toEqual({ kind: 'idle' });
    const waiting = chunks.next();
    stop.abort();
    expect((await waiting).done).toBe(true);
  });
});
