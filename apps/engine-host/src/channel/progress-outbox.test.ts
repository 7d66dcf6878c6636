import type { PipelineProgress } from '@millrace/protocol/control';
import { expect, it } from 'vitest';
import { progressOutbox } from './progress-outbox.ts';

const unexpected = (_: string, error: Error) => {
  throw error;
};

it('CP1: has one of a pipeline on its way, and then the newest of those that came meanwhile', () => {
  const sent: string[] = [];
  const outbox = progressOutbox(({ pipeline, at }) => sent.push(`${pipeline}${at}`), unexpected);
  const put = (pipeline: string, at: number) => outbox.put({ pipeline, at } as PipelineProgress);
  put('a', 1);
  put('a', 2);
  put('b', 1);
  put('a', 3);
  expect(sent).toEqual(['a1', 'b1']);
  outbox.taken('a');
  expect(sent).toEqual(['a1', 'b1', 'a3']);
  outbox.taken('a');
  outbox.taken('b');
  put('b', 2);
  expect(sent).toEqual(['a1', 'b1', 'a3', 'b2']);
});

it('CP2: leaves out numbers that cannot be told, says so once, and tells the next that can', () => {
  const sent: number[] = [];
  const said: string[] = [];
  const outbox = progressOutbox(
    ({ at }) => {
      if (at < 0) throw new Error(`${at} is below zero`);
      sent.push(at);
    },
    (pipeline, error) => said.push(`${pipeline}: ${error.message}`),
  );
  for (const at of [-1, -2, 3]) outbox.put({ pipeline: 'a', at } as PipelineProgress);
  outbox.taken('a');
  outbox.put({ pipeline: 'a', at: -4 } as PipelineProgress);
  expect({ sent, said }).toEqual({ sent: [3], said: ['a: -1 is below zero', 'a: -4 is below zero'] });
});
