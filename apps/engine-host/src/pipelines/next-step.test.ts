import { describe, expect, it } from 'vitest';
import { type Facts, nextStep, type Running, type Wish } from './next-step.ts';

const wish = (more: Partial<Wish> = {}): Wish => ({
  version: 2,
  desired: 'running',
  abandon: false,
  workers: 1,
  dropState: [],
  folder: undefined,
  revision: 5,
  startCrashes: 0,
  ...more,
});
const facts = (more: Partial<Facts> = {}): Facts => ({
  now: 1_000,
  running: undefined,
  current: 2,
  finished: undefined,
  last: undefined,
  checked: undefined,
  drainLeft: false,
  letters: { wanted: false, left: false },
  heldRevision: undefined,
  ...more,
});
const running = (more: Partial<Running> = {}): Running => ({
  version: 2,
  workers: 1,
  folder: undefined,
  mode: 'run',
  asked: 'nothing',
  paused: false,
  ...more,
});
const step = (wished: Partial<Wish>, known: Partial<Facts>) => nextStep(wish(wished), facts(known));
const able = { kind: 'able', revision: 5 } as const;
const unable = (retryAt?: number) => ({ kind: 'unable', revision: 5, error: 'no', retryAt }) as const;
const failed = (retryAt?: number, revision = 5) =>
  ({ kind: 'failed', error: 'no', revision, retryAt }) as const;

describe('the next step of a pipeline that does not run', () => {
  it('starts the active version, checks another one, activates the first', () => {
    expect(step({}, {}).kind).toBe('start');
    expect(step({}, { current: 1 }).kind).toBe('check');
    expect(step({}, { current: undefined, checked: able }).kind).toBe('activate');
  });

  it('NS1: leaves a version only when nothing of it is in flight and the agreed state is gone', () => {
    const drop = { dropState: ['n_a'] };
    expect(step(drop, { current: 1, checked: able })).toEqual({ kind: 'finish', dropState: ['n_a'] });
    expect(step(drop, { current: 1, checked: able, finished: { dropped: [] } }).kind).toBe('finish');
    expect(step(drop, { current: 1, checked: able, finished: { dropped: ['n_a'] } }).kind).toBe('activate');
    expect(step({}, { current: 1, checked: { ...able, revision: 4 } }).kind).toBe('check');
  });

  it('NS2: waits for the time of the next try; what a person must put right waits for a new wish', () => {
    expect(step({}, { last: failed(1_500) })).toEqual({ kind: 'wait', until: 1_500 });
    expect(step({}, { last: failed(900) }).kind).toBe('start');
    expect(step({}, { last: failed() })).toEqual({ kind: 'wait' });
    expect(step({}, { last: failed(undefined, 4) }).kind).toBe('start');
    expect(step({}, { current: 1, checked: unable(1_500) })).toEqual({ kind: 'wait', until: 1_500 });
    expect(step({}, { current: 1, checked: unable(900) }).kind).toBe('check');
    expect(step({}, { current: 1, checked: unable() })).toEqual({ kind: 'wait' });
  });

  it('does not start again what has ended, unless it is asked to', () => {
    expect(step({}, { last: { kind: 'ended', revision: 5 } })).toEqual({ kind: 'wait' });
    expect(step({}, { last: { kind: 'ended', revision: 4 } }).kind).toBe('start');
  });

  it('NS3: leaves a pipeline alone that ended the host three times', () => {
    expect(step({ startCrashes: 2 }, {}).kind).toBe('start');
    expect(step({ startCrashes: 3 }, {}).kind).toBe('quarantine');
    expect(step({ startCrashes: 3, desired: 'stopped' }, {}).kind).toBe('settle');
  });

  it('starts a paused one paused, unless it is held', () => {
    const paused = { desired: 'paused' } as const;
    expect(step(paused, {}).kind).toBe('start');
    expect(step(paused, { heldRevision: 5 })).toEqual({ kind: 'settle', state: 'paused' });
    expect(step(paused, { heldRevision: 4 }).kind).toBe('start');
  });

  it('goes on with a drain that the last host left, and with no other stop', () => {
    const stopped = { desired: 'stopped' } as const;
    expect(step(stopped, {})).toEqual({ kind: 'settle', state: 'stopped' });
    expect(step(stopped, { drainLeft: true })).toEqual({ kind: 'finish', dropState: [] });
    expect(step({ ...stopped, abandon: true }, { drainLeft: true }).kind).toBe('settle');
    expect(step(stopped, { drainLeft: true, finished: { dropped: [] } }).kind).toBe('settle');
  });
});

describe('dead letters of a pipeline that rests', () => {
  const stopped = { desired: 'stopped' } as const;
  const ended = { last: { kind: 'ended', revision: 5 } } as const;
  const wanted = { letters: { wanted: true, left: false } };
  const left = { letters: { wanted: false, left: true } };
  const forLetters = (asked: Running['asked'] = 'nothing') => ({
    running: running({ mode: 'redrive', asked }),
  });

  it('NS4: are delivered by a run for them alone, also those that an earlier host has left', () => {
    for (const known of [wanted, left]) {
      expect(step(stopped, known)).toEqual({ kind: 'redrive', inputHasEnded: false });
      expect(step({}, { ...ended, ...known })).toEqual({ kind: 'redrive', inputHasEnded: true });
    }
    expect(step({}, wanted).kind).toBe('start');
  });

  it('NS4: wait for a start where more than letters is to go on, or another version was deployed', () => {
    expect(step({ ...stopped, abandon: true }, wanted).kind).toBe('settle');
    expect(step(stopped, { ...wanted, current: 1 }).kind).toBe('settle');
    expect(step({ ...stopped, startCrashes: 3 }, left).kind).toBe('settle');
    expect(step(stopped, { ...left, last: failed(1_500) })).toEqual({ kind: 'wait', until: 1_500 });
  });

  it('NS4: their run goes on while somebody wants it and nothing else is wished, and is drained once', () => {
    for (const [wished, known] of [
      [stopped, {}],
      [{}, ended],
    ] as const) {
      expect(step(wished, { ...forLetters(), ...known, ...wanted }).kind).toBe('wait');
      expect(step(wished, { ...forLetters(), ...known }).kind).toBe('drain');
      expect(step(wished, { ...forLetters('drain'), ...known }).kind).toBe('wait');
    }
    expect(step({}, { ...forLetters(), ...wanted }).kind).toBe('drain');
    expect(step({ revision: 6 }, { ...forLetters(), ...ended, ...wanted }).kind).toBe('drain');
    expect(step({ ...stopped, abandon: true }, { ...forLetters(), ...wanted }).kind).toBe('abort');
  });
});

describe('the next step of a pipeline that runs', () => {
  it('waits while it is as wished', () => {
    expect(step({}, { running: running() })).toEqual({ kind: 'wait' });
  });

  it('pauses and resumes', () => {
    expect(step({ desired: 'paused' }, { running: running() }).kind).toBe('pause');
    expect(step({}, { running: running({ paused: true }) }).kind).toBe('resume');
  });

  it('stops by draining, once; at once where it is abandoned, also in the middle of a drain', () => {
    const stopped = { desired: 'stopped' } as const;
    expect(step(stopped, { running: running() }).kind).toBe('drain');
    expect(step(stopped, { running: running({ asked: 'drain' }) })).toEqual({ kind: 'wait' });
    expect(step(stopped, { running: running({ mode: 'finish' }) })).toEqual({ kind: 'wait' });
    const abandoned = { ...stopped, abandon: true };
    for (const now of [running(), running({ asked: 'drain' }), running({ mode: 'finish' })])
      expect(step(abandoned, { running: now }).kind).toBe('abort');
    expect(step(abandoned, { running: running({ asked: 'abort' }) })).toEqual({ kind: 'wait' });
  });

  it('NS1: is drained for another version only once that is known to be able to start', () => {
    const old = { running: running({ version: 1 }), current: 1 };
    expect(step({}, old).kind).toBe('check');
    expect(step({}, { ...old, checked: able }).kind).toBe('drain');
    expect(step({}, { ...old, checked: unable(1_500) })).toEqual({ kind: 'wait', until: 1_500 });
    expect(step({ desired: 'paused' }, { ...old, checked: unable() }).kind).toBe('pause');
  });

  it('changes its number of workers while it runs, unless another version is wished, too', () => {
    expect(step({ workers: 2 }, { running: running() }).kind).toBe('resize');
    const old = { running: running({ version: 1 }), current: 1, checked: able };
    expect(step({ workers: 2 }, old).kind).toBe('drain');
    expect(step({ workers: 2 }, { running: running({ asked: 'drain' }) }).kind).toBe('wait');
  });

  it('is drained for another folder', () => {
    expect(step({ folder: 'x' }, { running: running() }).kind).toBe('drain');
  });
});
