/** Which spare tries what, decided from facts alone. */
import { describe, expect, it } from 'vitest';
import { AT_WORK, judgeSilence } from './silence.ts';
import { type Decision, type SpareSilence, type Suspect, Trials } from './trials.ts';

const suspect = (number: number): Suspect => ({
  number,
  node: 1,
  prefix: Uint8Array.of(number),
  watermark: { kind: 'not-yet' },
});

/** Trials whose decisions are carried out at once by spares that do as they are told. */
class Bench {
  now = 0;
  readonly trials = new Trials(0);
  readonly silent = new Map<number, number>();
  readonly silenceOf = (spare: number): SpareSilence => {
    const ms = this.silent.get(spare) ?? 0;
    return { ms, verdict: judgeSilence({ wallMs: ms, ownMs: this.ownMs }, AT_WORK) };
  };
  /** Of whoever is silent; undefined: not known. */
  ownMs: number | undefined;
  readonly hands = new Map<number, number[]>();
  readonly ended: [spare: number, reason: string][] = [];
  hasGivenUp = false;
  #spares = 0;

  ask(...numbers: number[]): this {
    for (const number of numbers) this.trials.asked(suspect(number), this.now);
    return this.step();
  }

  step(ms = 0): this {
    this.now += ms;
    for (let left = 10; left > 0; left--) {
      const decisions = this.trials.decide(this.now, this.silenceOf);
      if (decisions.length === 0) break;
      for (const decision of decisions) this.#carryOut(decision);
    }
    return this;
  }

  tried(spare: number, spent = false): this {
    this.silent.set(spare, 0);
    this.trials.tried(spare, spent, this.now);
    return this.step();
  }

  dies(spare: number, end: 'condemned' | 'named' | 'nothing'): this {
    this.trials.ended(spare, end, this.now);
    this.silent.delete(spare);
    this.hands.delete(spare);
    return this.step();
  }

  hangs(spare: number, ms: number): this {
    this.silent.set(spare, ms);
    return this.step(ms);
  }

  #carryOut(decision: Decision): void {
    if (decision.kind === 'start') {
      this.trials.started(++this.#spares, this.now);
      this.trials.ready(this.#spares);
    } else if (decision.kind === 'hand')
      this.hands.set(
        decision.spare,
        decision.suspects.map(({ number }) => number),
      );
    else if (decision.kind === 'end') {
      this.ended.push([decision.spare, decision.reason]);
      this.trials.ended(decision.spare, 'nothing', this.now);
      this.hands.delete(decision.spare);
    } else this.hasGivenUp = true;
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('trials', () => {
  it('two spares begin before anything is asked for, and share what is', () => {
    const bench = new Bench().step().ask(...range(1, 70));
    expect([...bench.hands]).toEqual([
      [1, range(1, 32)],
      [2, range(33, 64)],
    ]);
    for (let i = 0; i < 32; i++) bench.tried(1);
    expect(bench.hands.get(1)).toEqual(range(65, 70));
  });

  it('SU5: what stands behind a key that takes long is given to others, sooner than to one that only was slow', () => {
    const bench = new Bench().step().ask(...range(1, 5));
    expect(bench.hands.get(1)).toEqual(range(1, 5));
    bench.hangs(1, 300);
    expect(bench.hands.get(2)).toEqual(range(2, 5));
    bench.tried(1);
    expect(bench.ended.map(([spare]) => spare)).toEqual([1]);
    // It was slow and nothing else: the next ones are given more time.
    bench.hangs(2, 300);
    expect([...bench.hands.keys()]).toEqual([2]);
    bench.hangs(2, 600);
    expect(bench.hands.get(3)).toEqual(range(3, 5));
  });

  it('P8: a spare that is silent for five seconds is ended, and only the key it is at is concerned', () => {
    const bench = new Bench().step().ask(1, 2);
    bench.silent.set(1, 5_001);
    expect(bench.trials.decide(bench.now, bench.silenceOf)).toContainEqual({
      kind: 'end',
      spare: 1,
      reason: 'no progress for 5 s',
    });
    expect(bench.trials.onTrial(1)?.number).toBe(1);
  });

  it('P8: one that was given no processor is silent for longer, and its end proves nothing', () => {
    const bench = new Bench().step().ask(1);
    bench.ownMs = 100;
    bench.silent.set(1, 29_000);
    expect(bench.trials.decide(bench.now, bench.silenceOf)).toEqual([]);
    bench.silent.set(1, 30_001);
    const [end] = bench.trials.decide(bench.now, bench.silenceOf);
    expect(end).toEqual({ kind: 'end', spare: 1, reason: 'no progress for 30 s', isDoubtful: true });
  });

  it('SU4: a key in which a spare ended for no proven reason is tried alone, by one that has tried nothing', () => {
    const bench = new Bench().step().ask(...range(1, 64));
    for (const spare of [1, 2]) for (let i = 0; i < 32; i++) bench.tried(spare);
    bench.ask(...range(65, 70));
    expect(bench.hands.get(1)).toEqual(range(65, 70));
    bench.dies(1, 'named');
    expect([...bench.hands]).toEqual([
      [2, range(66, 70)],
      [3, [65]],
    ]);
  });

  it('SU4: nothing a spare says after what it had in hand was given back counts', () => {
    const bench = new Bench().step().ask(1, 2);
    bench.trials.tried(1, true, 0);
    expect(bench.trials.outstanding).toBe(1);
    bench.trials.tried(1, false, 0);
    expect(bench.trials.outstanding).toBe(1);
    expect(bench.trials.onTrial(1)).toBeUndefined();
  });

  it('SU6: four spares that end and prove nothing are enough; one that proves something begins the count anew', () => {
    const bench = new Bench().step().ask(1);
    for (let i = 0; i < 3; i++) bench.dies([...bench.hands.keys()].at(-1) as number, 'named');
    bench.dies([...bench.hands.keys()].at(-1) as number, 'condemned');
    for (let i = 0; i < 3; i++) bench.dies([...bench.hands.keys()].at(-1) as number, 'named');
    expect(bench.hasGivenUp).toBe(false);
    bench.dies([...bench.hands.keys()].at(-1) as number, 'nothing');
    expect(bench.hasGivenUp).toBe(true);
  });

  it('SU6: half a minute in which nothing is found out is enough, but not one in which nothing is asked for', () => {
    const bench = new Bench().step(60_000).ask(1);
    bench.step(29_000);
    expect(bench.hasGivenUp).toBe(false);
    bench.step(2_000);
    expect(bench.hasGivenUp).toBe(true);
  });

  it('spares leave when nothing is asked for any more, and come back for what is', () => {
    const bench = new Bench().step().ask(1).tried(1);
    bench.step(2_500);
    expect(bench.ended).toHaveLength(2);
    bench.step(60_000);
    bench.ask(2);
    expect([...bench.hands.values()]).toEqual([[2]]);
  });

  it('four spares are the most a slot has', () => {
    const bench = new Bench().step();
    bench.ask(...range(1, 100));
    for (let round = 0; round < 6; round++)
      for (const spare of [...bench.hands.keys()]) bench.hangs(spare, 400);
    expect(bench.hands.size).toBeLessThanOrEqual(4);
  });
});
