import type { Progress } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { nodeProgress, progressOf } from '../testing/progress-of.ts';
import { recordingTerminal } from '../testing/recording-terminal.ts';
import { liveView } from './live-view.ts';

const progress = (records: number): Progress =>
  progressOf([nodeProgress({ name: 'a', kind: 'injector', out: records, outRate: records })]);

function setUp(isTty: boolean) {
  const clock = { time: 0, now: () => clock.time };
  const terminal = recordingTerminal(isTty);
  return { terminal, written: terminal.written.stderr, clock, view: liveView(terminal, clock, 'flights') };
}

describe('the live view on a terminal', () => {
  it('draws at most ten times a second, over its own lines', () => {
    const { written, clock, view } = setUp(true);
    for (clock.time = 0; clock.time <= 1_000; clock.time += 10) view.update(progress(clock.time));
    expect(written).toHaveLength(10);
    expect(written[0]?.startsWith('\u001b')).toBe(false);
    expect(written.slice(1).every((frame) => frame.startsWith('\u001b[3A\r\u001b[J'))).toBe(true);
    expect(written.at(-1)).toContain('1,000');
  });

  it('L1: puts a log line above the frame, in one write', () => {
    const { written, clock, view } = setUp(true);
    clock.time = 100;
    view.update(progress(5));
    view.log('hello');
    expect(written).toHaveLength(2);
    expect(written[1]?.startsWith('\u001b[3A\r\u001b[Jhello\nflights ')).toBe(true);
    expect(written[1]?.split('\n')).toHaveLength(5);
  });

  it('L2: gives a terminal that does not keep up no more frames, and then the newest', () => {
    const { terminal, written, clock, view } = setUp(true);
    terminal.busy = true;
    for (clock.time = 0; clock.time <= 1_000; clock.time += 100) view.update(progress(clock.time));
    expect(written).toEqual([]);
    terminal.busy = false;
    clock.time = 1_100;
    view.update(progress(1_100));
    expect(written).toHaveLength(1);
  });

  it('takes its lines away at the end', () => {
    const { written, clock, view } = setUp(true);
    clock.time = 100;
    view.update(progress(5));
    view.close();
    expect(written.at(-1)).toBe('\u001b[3A\r\u001b[J');
    view.log('after');
    expect(written.at(-1)).toBe('after\n');
  });
});

describe('the live view elsewhere', () => {
  it('writes one plain line every five seconds', () => {
    const { written, clock, view } = setUp(false);
    for (clock.time = 0; clock.time <= 11_000; clock.time += 100) view.update(progress(clock.time));
    view.close();
    expect(written).toHaveLength(2);
    expect(written[0]).toMatch(/^5 s: 5 k records\/s · .*\n$/);
    expect(written.join('')).not.toContain('\u001b');
  });
});
