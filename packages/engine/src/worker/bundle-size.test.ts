import { expect, test } from 'vitest';
import { BundleSize } from './bundle-size.ts';

/** A bundle of so many records that makes so many bytes. */
function bundle(size: BundleSize, records: number, bytes: number): void {
  size.begin(0);
  size.take(records);
  size.sealed(bytes);
}

/** Records after which the next bundle is full. */
function limitOf(size: BundleSize): number {
  size.begin(0);
  let records = 0;
  for (; !size.isFull(0); records += 64) size.take(64);
  return records;
}

test('BZ1: a bundle is full after 25 ms, or after the records it may have', () => {
  const size = new BundleSize();
  size.begin(100);
  size.take(1);
  expect([size.isFull(124), size.isFull(125)]).toEqual([false, true]);
  size.take(4_095);
  expect(size.isFull(100)).toBe(true);
});

test('BZ1: who fills one after the other takes up to 500 ms for each, who does not goes back', () => {
  const size = new BundleSize();
  const full = (): number => {
    size.begin(0);
    let ms = 0;
    while (!size.isFull(ms)) ms++;
    return ms;
  };
  const notFull = (): void => {
    size.begin(0);
    size.isFull(10);
  };
  expect([full(), full(), full(), full(), full(), full()]).toEqual([25, 50, 100, 200, 400, 500]);
  notFull();
  notFull();
  expect(full()).toBe(125);
  for (let i = 0; i < 4; i++) notFull();
  expect(full()).toBe(25);
});

test('BZ2: the limit doubles while bundles are full and small, and never passes the most', () => {
  const size = new BundleSize();
  expect(limitOf(size)).toBe(4_096);
  bundle(size, 4_096, 1_000);
  expect(limitOf(size)).toBe(8_192);
  bundle(size, 100, 1_000);
  expect(limitOf(size)).toBe(8_192);
  for (let i = 0; i < 9; i++) bundle(size, limitOf(size), 0);
  expect(limitOf(size)).toBe(262_144);
});

test('BZ2: a bundle of many bytes makes the next one as small as it has to be', () => {
  const size = new BundleSize();
  bundle(size, 1_000, 80 * 1024 * 1024);
  expect(limitOf(size)).toBe(128);
  bundle(size, 10, 80 * 1024 * 1024);
  expect(limitOf(size)).toBe(64);
  bundle(size, 0, 1_000_000);
  expect(limitOf(size)).toBe(64);
});

test('a pass grows while the store has to be asked, and is never beyond what the bundle may still have', () => {
  const size = new BundleSize();
  size.begin(0);
  expect(size.passRecords).toBe(512);
  size.passed(true);
  expect(size.passRecords).toBe(1_024);
  for (let i = 0; i < 9; i++) size.passed(true);
  expect(size.passRecords).toBe(4_096);
  size.passed(false);
  size.take(4_000);
  expect(size.passRecords).toBe(96);
});

test('bundles kept small for a test still have several passes', () => {
  const size = new BundleSize(10);
  size.begin(0);
  expect(size.passRecords).toBe(4);
  size.take(4);
  expect(size.isFull(0)).toBe(false);
  size.take(4);
  expect(size.passRecords).toBe(2);
});
