import { describe, expect, it } from 'vitest';
import { describeDeath, WorkerHealth } from './worker-health.ts';
import type { WorkerDeath } from './worker-link.ts';

const death = (more: Partial<WorkerDeath> = {}): WorkerDeath => ({
  exit: { code: null, signal: 'SIGKILL', reason: undefined, stderr: '' },
  killedFor: undefined,
  isDoubtful: false,
  busy: true,
  lastInput: undefined,
  ...more,
});
const ofTime = { killedFor: 'it made no progress for 5 s' };

describe('WorkerHealth', () => {
  it('P8: the first death says nothing of an input; the next worker reports each before it runs', () => {
    const health = new WorkerHealth();
    expect(health.startMode).toEqual({ careful: false, poison: {} });
    expect(health.died(death({ ...ofTime, lastInput: 'a' }))).toEqual({ kind: 'restart', delayMs: 0 });
    expect(health.startMode).toEqual({ careful: true, poison: {} });
  });

  it('P8: the record in flight at the second kill is the culprit', () => {
    const health = new WorkerHealth();
    health.died(death(ofTime));
    health.died(death({ ...ofTime, lastInput: 'a' }));
    expect(Object.keys(health.startMode.poison)).toEqual(['a']);
    expect(health.startMode.poison.a).toContain('no progress');
  });

  it('P8: a kill from outside names nobody, unless the same input is in flight twice', () => {
    const health = new WorkerHealth();
    health.died(death());
    health.died(death({ lastInput: 'a' }));
    health.died(death({ lastInput: 'b' }));
    expect(health.startMode.poison).toEqual({});
    health.died(death({ lastInput: 'a' }));
    expect(Object.keys(health.startMode.poison)).toEqual(['a']);
  });

  it('P8: a silence in which the worker hardly ran names an input only twice', () => {
    const health = new WorkerHealth();
    const doubtful = { killedFor: 'no progress for 30 s', isDoubtful: true };
    health.died(death(doubtful));
    health.died(death({ ...doubtful, lastInput: 'a' }));
    expect(health.startMode.poison).toEqual({});
    health.died(death({ ...doubtful, lastInput: 'a' }));
    expect(Object.keys(health.startMode.poison)).toEqual(['a']);
  });

  it('P8: want of memory names an input only twice: another may have filled it', () => {
    const full = { killedFor: 'it used more memory than its limit of 256 MB' };
    const health = new WorkerHealth();
    health.died(death(full));
    health.died(death({ ...full, lastInput: 'a' }));
    expect(health.startMode.poison).toEqual({});
    health.died(death({ ...full, lastInput: 'a' }));
    expect(Object.keys(health.startMode.poison)).toEqual(['a']);
  });

  it('P8: a death while nothing ran accuses nobody and changes nothing', () => {
    const health = new WorkerHealth();
    health.died(death({ busy: false, lastInput: 'a', ...ofTime }));
    expect(health.startMode).toEqual({ careful: false, poison: {} });
  });

  it('forgets once the worker is past it, and gives up on one that dies for ever', () => {
    const health = new WorkerHealth();
    for (let i = 0; i < 30; i++) expect(health.died(death()).kind).toBe('restart');
    health.recovered();
    expect(health.startMode).toEqual({ careful: false, poison: {} });
    for (let i = 0; i < 30; i++) health.died(death());
    expect(health.died(death()).kind).toBe('give-up');
  });

  it('tells running out of memory from other ends', () => {
    const exit = {
      code: 134,
      signal: null,
      reason: undefined,
      stderr: 'Fatal JavaScript out of memory: heap',
    };
    expect(describeDeath(death({ exit }))).toBe('it ended with code 134 (out of memory)');
    expect(describeDeath(death())).toBe('it ended with SIGKILL');
  });
});
