import { expect, test } from 'vitest';
import type { SourceChunk } from '../ports.ts';
import { SourceRunner } from './source-runner.ts';
import { SourceWindow } from './source-window.ts';
import type { WorkerLink } from './worker-link.ts';

/** A source that gives what the test hands it, and a worker that takes everything at once. */
function setUp(paused: boolean) {
  const passed: string[] = [];
  const waiting: ((chunk: SourceChunk) => void)[] = [];
  const state = { reads: 0, now: 1_000, queued: 0, asked: 0 };
  const link = {
    state: 'running',
    get queuedBytes() {
      return state.queued;
    },
    get finished() {
      return passed.length;
    },
    chunk: (_node: number, _partition: number, chunk: SourceChunk) => passed.push(chunk.kind),
  } as unknown as WorkerLink;
  const runner = new SourceRunner({
    node: 0,
    partition: 0,
    link,
    offset: 0,
    window: new SourceWindow(1, 1),
    idleTimeoutMs: 100,
    now: () => state.now,
    source: {
      name: 's',
      async *read(_offset, signal) {
        state.reads++;
        while (!signal.aborted) {
          state.asked++;
          yield await new Promise<SourceChunk>((resolve) => waiting.push(resolve));
        }
      },
    },
    failed: (error) => {
      throw error;
    },
  });
  runner.paused = paused;
  runner.start();
  const give = async (chunk: SourceChunk) => {
    await expect.poll(() => waiting.length).toBe(1);
    waiting.shift()?.(chunk);
  };
  const later = (ms: number, pauseMs = 0) => {
    state.now += ms;
    runner.watch(state.now, pauseMs);
  };
  return { runner, passed, state, give, waiting, later };
}
const bytes: SourceChunk = { kind: 'bytes', offset: 0, bytes: new Uint8Array(1) };

test('SR2: a source that begins paused is not read before it is resumed', async () => {
  const { runner, passed, state, give } = setUp(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(state.reads).toBe(0);
  runner.paused = false;
  await give(bytes);
  await expect.poll(() => passed).toEqual(['bytes']);
  runner.stop();
});

test('SR2: what a source gives while paused waits in the host', async () => {
  const { runner, passed, give } = setUp(false);
  await give(bytes);
  await expect.poll(() => passed).toEqual(['bytes']);
  runner.paused = true;
  await give(bytes);
  await new Promise((resolve) => setImmediate(resolve));
  expect(passed).toEqual(['bytes']);
  runner.paused = false;
  await expect.poll(() => passed).toEqual(['bytes', 'bytes']);
  runner.stop();
});

test('SR2: nothing is sent while the pipe is full, and it goes on when the pipe has drained', async () => {
  const { runner, passed, state, give } = setUp(false);
  await give(bytes);
  await expect.poll(() => passed).toEqual(['bytes']);
  state.queued = 2 * 1024 * 1024;
  await give(bytes);
  await expect.poll(() => passed.length).toBe(2);
  // It was on its way; the source is not asked for more.
  await new Promise((resolve) => setImmediate(resolve));
  expect(state.asked).toBe(2);
  state.queued = 0;
  runner.check();
  await give(bytes);
  await expect.poll(() => passed.length).toBe(3);
  runner.stop();
});

test('SR3: a source that is silent for its timeout is called idle, once, and again when it was not meanwhile', async () => {
  const { runner, passed, give, later } = setUp(false);
  await give({ kind: 'idle' });
  await give({ kind: 'idle' });
  later(99);
  expect(passed).toEqual([]);
  later(1);
  later(1_000);
  expect(passed).toEqual(['idle']);
  await give(bytes);
  await give({ kind: 'idle' });
  await expect.poll(() => passed).toEqual(['idle', 'bytes']);
  later(100);
  expect(passed).toEqual(['idle', 'bytes', 'idle']);
  runner.stop();
});

test('SR3: neither time in which reading is paused counts, nor time in which the host did not run', async () => {
  const { runner, passed, give, waiting, later } = setUp(false);
  await give({ kind: 'idle' });
  await expect.poll(() => waiting.length).toBe(1);
  runner.paused = true;
  later(1_000);
  runner.paused = false;
  later(99);
  later(5_000, 5_000);
  later(99);
  expect(passed).toEqual([]);
  later(1);
  expect(passed).toEqual(['idle']);
  runner.stop();
});

test('SR3: a clock that is set back makes no source wait for an hour', async () => {
  const { runner, passed, give, waiting, later } = setUp(false);
  await give({ kind: 'idle' });
  await expect.poll(() => waiting.length).toBe(1);
  later(50);
  later(-3_600_000, -3_600_000);
  later(100);
  expect(passed).toEqual(['idle']);
  runner.stop();
});
