import { expect, it } from 'vitest';
import { processorTimeMs, readProcessorTime } from './processor-time.ts';

it('reads user and system time behind a name that looks like more fields', () => {
  const stat = '77 (a) b (x) 1 2) R 1 77 77 0 -1 4194304 100 0 0 0 250 30 0 0 20 0 11 0 5 0 0';
  expect(readProcessorTime(stat)).toBe(2_800);
  expect(readProcessorTime('nonsense')).toBeUndefined();
});

it.runIf(process.platform === 'linux')('grows with what a process computes', () => {
  const before = processorTimeMs(process.pid) ?? Number.NaN;
  const end = process.cpuUsage().user + 60_000;
  while (process.cpuUsage().user < end);
  expect(processorTimeMs(process.pid)).toBeGreaterThan(before);
  expect(processorTimeMs(2 ** 30)).toBeUndefined();
});
