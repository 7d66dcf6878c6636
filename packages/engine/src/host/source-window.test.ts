import { expect, test } from 'vitest';
import { SourceWindow } from './source-window.ts';

const MB = 1024 * 1024;

/** A worker that takes so many bytes a millisecond of a source that never ends; the windows it is given. */
function sizes(window: SourceWindow, bytesPerMs: number, rounds: number): number[] {
  const found = new Set<number>();
  let now = 0;
  for (let i = 0; i < rounds; i++) {
    const { bytes } = window;
    found.add(bytes / MB);
    window.isFull(bytes, 0, now);
    const sentAt = now;
    now += bytes / bytesPerMs;
    window.finished(sentAt, now, bytes);
  }
  return [...found];
}

test('SW1: it grows while input lies with a fast worker for a moment only, to what its partitions may share', () => {
  expect(sizes(new SourceWindow(1, 1), 20_000, 9)).toEqual([8, 16]);
  expect(sizes(new SourceWindow(1, 1), 1_000_000, 9)).toEqual([8, 16, 32]);
  expect(sizes(new SourceWindow(4, 1), 1_000_000, 9)).toEqual([8, 16]);
  expect(sizes(new SourceWindow(16, 1), 1_000_000, 9)).toEqual([4]);
});

test('SW1: it does not grow in front of what other workers deliver', () => {
  expect(sizes(new SourceWindow(1, 2), 1_000_000, 9)).toEqual([8]);
});

test('SW1: it shrinks where input lies with a slow worker for long', () => {
  expect(sizes(new SourceWindow(1, 1), 10, 9)).toEqual([8, 4, 2, 1]);
});

test('SW1: what was sent before it was full says nothing of it', () => {
  const window = new SourceWindow(1, 1);
  window.isFull(8 * MB, 0, 1_000);
  window.finished(990, 1_005, 7 * MB);
  expect(window.bytes).toBe(8 * MB);
  window.finished(1_001, 1_010, 7 * MB);
  expect(window.bytes).toBe(16 * MB);
});

test('SW1: once the worker has caught up, a burst has to fill it anew', () => {
  const window = new SourceWindow(1, 1);
  window.isFull(8 * MB, 0, 1_000);
  window.finished(900, 1_200, 0);
  window.finished(5_000, 5_001, MB);
  expect(window.bytes).toBe(8 * MB);
});

test('small chunks fill it before their bytes do', () => {
  const window = new SourceWindow(1, 1);
  expect([window.isFull(100, 63, 0), window.isFull(100, 64, 0)]).toEqual([false, true]);
});
