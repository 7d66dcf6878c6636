import { expect, it } from 'vitest';
import { processorTimeMs, readProcessorTime } from './processor-time.ts';

it('reads user and system time behind a name that looks like more fields', () => {
  const stat = '77 (a) b (x) 1 2) R 1 77 77 0 -1 4194304 100 0 0 0 250 30 0 0 20 0 11 0 5 0 0';
  expect(readProcessorTime(stat)).toBe(2_800);
  expect(readProcessorTime('nonsense')).toBeUndefined();
});

it('knows nothing of a process that is not there', () => {
  expect(processorTimeMs(undefined)).toBeUndefined();
  expect(processorTimeMs(2 ** 30)).toBeUndefined();
});
