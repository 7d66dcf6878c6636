import type { PipelineProgress } from '@millrace/protocol/control';
import { expect, it } from 'vitest';
import { progressOutbox } from './progress-outbox.ts';

it('CP1: has one of a pipeline on its way, and then the newest of those that came meanwhile', () => {
  const sent: string[] = [];
  const outbox = progressOutbox(({ pipeline, at }) => sent.push(`${pipeline}${at}`));
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
