import { expect, it } from 'vitest';
import { InputReach } from './input-reach.ts';

const bytes = (offset: number, length: number) =>
  ({ kind: 'bytes', offset, bytes: new Uint8Array(length) }) as const;

it('P8: a worker has met all that its predecessor met when it was sent as much, however it was cut', () => {
  const before = new InputReach();
  before.took(0, 0, bytes(0, 700));
  before.took(0, 1, { kind: 'ordinals', first: 4, count: 6, time: 0, everyMs: 1 });
  before.delivered(12);
  const next = new InputReach();
  next.begins(0, 0, 300);
  next.begins(0, 1, 10);
  expect(next.coversSources(before)).toBe(false);
  next.took(0, 0, bytes(300, 350));
  next.took(0, 0, { kind: 'idle' });
  expect(next.coversSources(before)).toBe(false);
  next.took(0, 0, bytes(650, 100));
  expect(next.coversSources(before)).toBe(true);
  expect(next.coversDeliveries(before)).toBe(false);
  next.delivered(12);
  expect(next.coversDeliveries(before)).toBe(true);
});

it('an end is reached only by an end, and what two workers met adds up', () => {
  const before = new InputReach();
  before.took(0, 0, { kind: 'ended' });
  const next = new InputReach();
  next.took(0, 0, bytes(0, 1_000_000));
  expect(next.coversSources(before)).toBe(false);
  before.add(next);
  next.took(0, 0, { kind: 'ended' });
  expect(next.coversSources(before)).toBe(true);
});
