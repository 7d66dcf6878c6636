import { describe, expect, it } from 'vitest';
import { type EndFacts, endStep } from './end-of-run.ts';

const quiet = (nextWallTimer?: number) => ({ isQuiet: true, nextWallTimer });

const over: EndFacts = {
  committerIsIdle: true,
  workers: [quiet(), quiet()],
  draining: false,
  awaitsLetters: false,
  injectorsEnded: () => true,
  sinksAreIdle: () => true,
};

describe('the end of a run', () => {
  it('PH4: has come when nothing is sent, waiting, running or undelivered', () => {
    expect(endStep(over)).toEqual({ kind: 'done' });
    expect(endStep({ ...over, draining: true })).toEqual({ kind: 'drained' });
  });

  it.each<[string, Partial<EndFacts>]>([
    ['a bundle is on its way to the log', { committerIsIdle: false }],
    ['one worker has something to do', { workers: [quiet(), { ...quiet(), isQuiet: false }] }],
    ['a sink has rows to write', { sinksAreIdle: () => false }],
  ])('PH4: has not come while %s, drained or not', (_, fact) => {
    expect(endStep({ ...over, ...fact })).toEqual({ kind: 'not-yet' });
    expect(endStep({ ...over, ...fact, draining: true })).toEqual({ kind: 'not-yet' });
  });

  it('PH4: waits for every injector, but not in a drain, which reads nothing', () => {
    const reading = { ...over, injectorsEnded: () => false };
    expect(endStep(reading)).toEqual({ kind: 'not-yet' });
    expect(endStep({ ...reading, draining: true })).toEqual({ kind: 'drained' });
  });

  it('RV7: does not come while letters may still be redriven, whatever else has ended', () => {
    expect(endStep({ ...over, awaitsLetters: true })).toEqual({ kind: 'not-yet' });
  });

  it('W6: fires the wall timers that are left, the earliest worker up to the next one of another', () => {
    const left = { ...over, workers: [quiet(30), quiet(10), quiet()] };
    expect(endStep(left)).toEqual({ kind: 'fire-wall-timers', slot: 1, limit: 30 });
    expect(endStep({ ...over, workers: [quiet(), quiet(10)] })).toEqual({
      kind: 'fire-wall-timers',
      slot: 1,
      limit: Number.POSITIVE_INFINITY,
    });
  });

  it('W6: leaves wall timers armed while input goes on, and in a drain', () => {
    const armed = { ...over, workers: [quiet(10)] };
    expect(endStep({ ...armed, injectorsEnded: () => false })).toEqual({ kind: 'not-yet' });
    expect(endStep({ ...armed, draining: true })).toEqual({ kind: 'drained' });
  });
});
