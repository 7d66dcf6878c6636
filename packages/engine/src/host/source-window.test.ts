import { expect, test } from 'vitest';
import { SourceWindow } from './source-window.ts';

const MB = 1024 * 1024;

test('SW1: a window that each bundle uses up grows to what the partitions of a worker may share', () => {
  const sizes = (partitions: number) => {
    const window = new SourceWindow(partitions);
    return [0, 1, 2, 3].map(() => {
      const { bytes } = window;
      window.isFull(bytes, 0);
      window.finished(100, 0);
      return bytes / MB;
    });
  };
  expect(sizes(1)).toEqual([8, 16, 32, 32]);
  expect(sizes(4)).toEqual([8, 16, 16, 16]);
  expect(sizes(16)).toEqual([4, 4, 4, 4]);
  expect(sizes(1_000)).toEqual([1, 1, 1, 1]);
});

test('SW1: it stays where input is left over, or where it was never full', () => {
  const window = new SourceWindow(1);
  window.isFull(8 * MB, 0);
  window.finished(100, 3 * MB);
  window.isFull(7 * MB, 0);
  window.finished(100, 0);
  expect(window.bytes).toBe(8 * MB);
});

test('SW1: it shrinks to what it began with where input lies long with the worker', () => {
  const window = new SourceWindow(1);
  for (let i = 0; i < 2; i++) {
    window.isFull(32 * MB, 0);
    window.finished(100, 0);
  }
  for (const then of [16, 8, 8]) {
    window.finished(2_001, 0);
    expect(window.bytes).toBe(then * MB);
  }
});

test('small chunks fill it before their bytes do', () => {
  const window = new SourceWindow(1);
  expect([window.isFull(100, 63), window.isFull(100, 64)]).toEqual([false, true]);
});
