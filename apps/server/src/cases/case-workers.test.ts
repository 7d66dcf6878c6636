import type { TriedCode } from '@millrace/deployment';
import { afterEach, expect, test, vi } from 'vitest';
import { caseWorkers } from './case-workers.ts';

afterEach(() => void vi.useRealTimers());

/** Workers that only count, and jobs that end when the test says so. */
function pool(limits: { most?: number; each?: number; idleMs?: number; lineMs?: number } = {}) {
  const open = new Set<TriedCode>();
  const workers = caseWorkers(
    () => {
      const code: TriedCode = { trace: async () => '', close: () => void open.delete(code) };
      open.add(code);
      return code;
    },
    { most: 2, each: 2, idleMs: 60_000, lineMs: 5_000, ...limits },
  );
  const start = (account: string, editor = account) => {
    let end = (): void => {};
    const turn = workers.run(
      { account, editor },
      () =>
        new Promise<void>((done) => {
          end = done;
        }),
    );
    return { turn, end: () => end() };
  };
  const ask = (account: string, editor = account) => workers.run({ account, editor }, async () => 'ran');
  return { open, start, ask, workers };
}

test('CW1, CW2: where all are at work one waits in line, visibly, and who asked first is next', async () => {
  const { open, start, ask } = pool();
  const running = [start('a'), start('b')];
  expect(await ask('c')).toEqual({ kind: 'queued', ahead: 0 });
  expect(await ask('d')).toEqual({ kind: 'queued', ahead: 1 });
  running[0]?.end();
  await running[0]?.turn;
  expect(await ask('d')).toEqual({ kind: 'queued', ahead: 1 });
  expect(await ask('c')).toEqual({ kind: 'done', result: 'ran' });
  expect(await ask('d')).toEqual({ kind: 'done', result: 'ran' });
  expect(open.size).toBe(2);
  running[1]?.end();
});

test('CW1: one account has its share, and its next editor takes the place of one of its own', async () => {
  const { open, start, ask } = pool({ most: 8 });
  const running = [start('a', 'one'), start('a', 'two')];
  expect(await ask('a', 'three')).toEqual({ kind: 'queued', ahead: 0 });
  expect(await ask('b')).toMatchObject({ kind: 'done' });
  running[1]?.end();
  await running[1]?.turn;
  expect(await ask('a', 'three')).toMatchObject({ kind: 'done' });
  expect(open.size).toBe(3);
  running[0]?.end();
});

test('CW2: a place in the line is lost by not asking for a while', async () => {
  vi.useFakeTimers();
  const { start, ask } = pool({ most: 1 });
  const running = start('a');
  expect(await ask('b')).toEqual({ kind: 'queued', ahead: 0 });
  vi.advanceTimersByTime(5_001);
  expect(await ask('c')).toEqual({ kind: 'queued', ahead: 0 });
  running.end();
});

test('CW3: a worker nobody asks for a minute is ended', async () => {
  vi.useFakeTimers();
  const { open, ask } = pool();
  await ask('a');
  vi.advanceTimersByTime(59_000);
  await ask('a');
  vi.advanceTimersByTime(59_000);
  expect(open.size).toBe(1);
  vi.advanceTimersByTime(1_001);
  expect(open.size).toBe(0);
});

test('an editor has one question at a time', async () => {
  const { start, ask } = pool();
  const running = start('a');
  expect(await ask('a')).toEqual({ kind: 'busy' });
  running.end();
  await running.turn;
  expect(await ask('a')).toMatchObject({ kind: 'done' });
});
