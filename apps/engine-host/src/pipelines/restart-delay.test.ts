import { expect, it } from 'vitest';
import { afterFailure, type Failures, NO_FAILURES } from './restart-delay.ts';

function delays(lasted: readonly number[]): number[] {
  let failures: Failures = NO_FAILURES;
  return lasted.map((ms) => {
    const next = afterFailure(failures, ms);
    failures = next.failures;
    return next.delayMs;
  });
}

it('NS2: doubles up to a minute, and begins anew after a run that lasted', () => {
  expect(delays(Array.from({ length: 9 }, () => 10))).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
  ]);
  expect(delays([10, 10, 120_000, 10])).toEqual([500, 1_000, 500, 1_000]);
});
