import type { LeaseLook } from '@millrace/store';
import { describe, expect, test } from 'vitest';
import { judgeLease, type Watch } from './judge-lease.ts';

const led = (beat: number, more: { isHere?: boolean; sequencer?: number } = {}): LeaseLook => ({
  sequencer: more.sequencer ?? 1,
  beat,
  leader: { address: 'http://one', isHere: more.isHere ?? true, isThis: false },
});

/** The look at which it claims; undefined: at none. A look that is undefined failed. */
function claimsAt(looks: readonly (LeaseLook | undefined)[]): number | undefined {
  let watch: Watch | undefined;
  for (const [index, look] of looks.entries()) {
    if (look === undefined) {
      watch = undefined;
      continue;
    }
    const judged = judgeLease(watch, look);
    if (judged.verdict === 'claim') return index;
    watch = judged.watch;
  }
  return undefined;
}

const times = (count: number, look: LeaseLook | undefined) => Array.from({ length: count }, () => look);

describe('who stands by', () => {
  test('takes a lease that nobody holds at once', () => {
    expect(claimsAt([{ sequencer: 0, beat: 0, leader: undefined }])).toBe(0);
  });

  test('takes back what it held itself before its session broke', () => {
    const look = { sequencer: 3, beat: 5, leader: { address: 'a', isHere: true, isThis: true } };
    expect(claimsAt([look])).toBe(0);
  });

  test('waits as long as the beat moves, also when the session is another one', () => {
    const looks = Array.from({ length: 100 }, (_, i) => led(Math.floor(i / 2), { isHere: i % 10 < 5 }));
    expect(claimsAt(looks)).toBeUndefined();
  });

  test('takes over from a frozen one after four seconds, from a dead one after one and a half', () => {
    expect(claimsAt([led(1), ...times(20, led(2))])).toBe(9);
    expect(claimsAt([led(1), ...times(20, led(2, { isHere: false }))])).toBe(4);
  });

  test('begins to count anew when another one leads, and when it could not look', () => {
    expect(claimsAt([...times(8, led(2)), ...times(8, led(2, { sequencer: 2 }))])).toBeUndefined();
    expect(claimsAt([...times(8, led(2)), undefined, ...times(8, led(2))])).toBeUndefined();
    expect(claimsAt([...times(3, led(2, { isHere: false })), undefined, led(2, { isHere: false })])).toBe(
      undefined,
    );
  });
});
