import { afterAll, beforeAll, expect, it } from 'vitest';
import { timeZoneStore } from '../../text/time-zone.ts';
import { timeTicks } from './time-ticks.ts';

const before = timeZoneStore.getState();
beforeAll(() => timeZoneStore.setState({ zone: 'utc' }));
afterAll(() => timeZoneStore.setState(before));

const midnight = Date.UTC(2026, 10, 30) / 1_000;

it('times below an axis are no finer than its steps, and a new day is told', () => {
  expect(timeTicks([midnight + 15, midnight + 30], 15)).toEqual(['00:00:15', '00:00:30']);
  expect(timeTicks([midnight, midnight + 300], 300)).toEqual(['00:00', '00:05']);
  expect(timeTicks([midnight - 21_600, midnight], 21_600)).toEqual([
    '18:00',
    expect.stringContaining('30 Nov'),
  ]);
  expect(timeTicks([midnight - 86_400, midnight], 86_400)[0]).toContain('29 Nov');
});
