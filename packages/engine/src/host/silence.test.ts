import { describe, expect, it } from 'vitest';
import { AT_WORK, judgeSilence, Looks, Silence } from './silence.ts';

/** Somebody on a machine where he gets `share` of the time. */
function setUp(
  spentMs: (state: { time: number; spent: number }) => number | undefined = ({ spent }) => spent,
) {
  const state = { time: 0, spent: 0 };
  const silence = new Silence(
    () => state.time,
    () => spentMs(state),
  );
  const pass = (ms: number, share: number): string[] => {
    const verdicts: string[] = [];
    for (let gone = 0; gone < ms; gone += 100) {
      state.time += 100;
      state.spent += 100 * share;
      verdicts.push(silence.judge(AT_WORK));
    }
    return verdicts;
  };
  return { state, silence, pass };
}

describe('silence', () => {
  it('P8: who runs for five seconds and says nothing is guilty', () => {
    const { pass } = setUp();
    expect(pass(5_000, 1)).not.toContain('guilty');
    expect(pass(200, 1)).toContain('guilty');
  });

  it('P8: who is given a tenth of the time is not taken for one that hangs, and not waited for for ever', () => {
    const { pass } = setUp();
    expect(new Set(pass(30_000, 0.1))).toEqual(new Set(['patience']));
    expect(pass(200, 0.1)).toContain('doubtful');
  });

  it('P8: one that hangs on a busy machine is found out by what it has run', () => {
    const { pass } = setUp();
    expect(pass(9_000, 0.5)).not.toContain('guilty');
    expect(pass(2_000, 0.5)).toContain('guilty');
  });

  it('where the system does not say what it has run, five seconds of wall time are enough', () => {
    const { pass } = setUp(() => undefined);
    expect(pass(5_000, 0)).not.toContain('guilty');
    expect(pass(200, 0)).toContain('guilty');
  });

  it('what it ran before it was heard, or while nobody listened, does not count', () => {
    const { state, silence, pass } = setUp();
    pass(4_900, 1);
    silence.heard();
    expect(new Set(pass(4_000, 1))).toEqual(new Set(['patience']));
    state.time += 9_000;
    state.spent += 9_000;
    silence.excuse(9_000);
    expect(silence.wallMs).toBe(4_000);
    expect(new Set(pass(900, 1))).toEqual(new Set(['patience']));
    expect(pass(300, 1)).toContain('guilty');
  });

  it('a clock that is set back makes nobody wait for an hour', () => {
    const { state, silence, pass } = setUp();
    pass(2_000, 1);
    state.time -= 3_600_000;
    silence.excuse(-3_600_000);
    expect(silence.wallMs).toBe(2_000);
    expect(pass(3_500, 1)).toContain('guilty');
  });

  it('SR3: a pause in front of the first look is one, too; a clock that goes back is less than none', () => {
    const looks = new Looks(1_000, 500);
    expect([9_000, 9_100, 9_600, 10_101, 101, 201].map((now) => looks.pauseBefore(now))).toEqual([
      8_000, 0, 0, 501, -10_000, 0,
    ]);
  });

  it.each([
    [{ wallMs: 4_000, ownMs: 9_000 }, 'patience'],
    [{ wallMs: 6_000, ownMs: 5_001 }, 'guilty'],
    [{ wallMs: 6_000, ownMs: undefined }, 'guilty'],
    [{ wallMs: 30_000, ownMs: 5_000 }, 'patience'],
    [{ wallMs: 30_001, ownMs: 0 }, 'doubtful'],
  ] as const)('%o: %s', (spent, verdict) => {
    expect(judgeSilence(spent, AT_WORK)).toBe(verdict);
  });
});
