import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { stopSignals } from './stop-signals.ts';

function setUp() {
  const source = new EventEmitter();
  const asked: string[] = [];
  const signals = stopSignals(source, () => {});
  const target = { drain: () => void asked.push('drain'), abort: () => void asked.push('abort') };
  return { source, signals, target, asked };
}

describe('stop signals', () => {
  it('the first drains, the second aborts, more do nothing', () => {
    const { source, signals, target, asked } = setUp();
    signals.attach(target);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGINT', 'SIGTERM']) source.emit(signal);
    expect(asked).toEqual(['drain', 'abort']);
  });

  it('a signal that came before there was anything to stop is not lost', () => {
    const { source, signals, target, asked } = setUp();
    source.emit('SIGTERM');
    expect(signals.stopping).toBe(true);
    signals.attach(target);
    expect(asked).toEqual(['drain']);
  });

  it('leaves no listener behind', () => {
    const { source, signals } = setUp();
    signals.release();
    expect(source.eventNames()).toEqual([]);
  });
});
