import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { untilStopped } from './until-stopped.ts';

test('one Ctrl-C that arrives twice, from the terminal and through npm, is one wish', async () => {
  const source = new EventEmitter();
  let time = 1000;
  let atOnce = 0;
  const signals = untilStopped(
    source,
    () => atOnce++,
    () => time,
  );
  source.emit('SIGINT');
  time += 30;
  source.emit('SIGINT');
  await signals.stopped;
  expect(atOnce).toBe(0);
  time += 2000;
  source.emit('SIGINT');
  expect(atOnce).toBe(1);
  signals.release();
  expect(source.eventNames()).toEqual([]);
});
