import type { EventPayload } from '@millrace/protocol/api';
import { afterEach, expect, test } from 'vitest';
import { FakeLiveSource } from '../testing/fake-live-source.ts';
import { LogFeed } from './log-feed.ts';

type Message = EventPayload<'logs.lines'>;

const line = (number: number) => ({
  number,
  time: 1,
  node: 'n_a',
  level: 'info' as const,
  version: 1,
  key: '',
  text: 't',
});
let feed: LogFeed | undefined;
afterEach(() => feed?.close());

function opened() {
  const source = new FakeLiveSource();
  const sent: { message: Message; taken: () => void }[] = [];
  const answer = (book: string, numbers: readonly number[], cut = 0) => {
    source.answers['logs-read'] = { kind: 'answer', body: { book, lines: numbers.map(line), cut } };
  };
  answer('b1', []);
  const send = (message: Message, taken: () => void) => void sent.push({ message, taken });
  feed = new LogFeed({ logs: 'l', pipeline: 'p_one', source, send });
  feed.start();
  return { source, sent, answer };
}

test('LF1: while a reader does not acknowledge, the host is asked nothing; what it missed is counted', async () => {
  const { source, sent, answer } = opened();
  await expect.poll(() => sent.length).toBe(1);
  expect(sent[0]?.message).toMatchObject({ lines: [], missed: 0, restarted: false });
  expect(source.asked).toHaveLength(1);
  answer('b1', [1, 2], 5);
  sent[0]?.taken();
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[1]?.message).toMatchObject({ cut: 5, missed: 0 });
  answer('b1', [10], 5);
  sent[1]?.taken();
  await expect.poll(() => sent.length).toBe(3);
  expect(sent[2]?.message).toMatchObject({ cut: 0, missed: 7 });
  expect(source.asked.at(-1)?.body).toMatchObject({ seen: { book: 'b1', number: 2 } });
});

test('an engine that was started again is told, and its lines are shown from their first', async () => {
  const { source, sent, answer } = opened();
  await expect.poll(() => sent.length).toBe(1);
  source.answers['logs-read'] = { kind: 'away' };
  sent[0]?.taken();
  await expect.poll(() => source.asked.length).toBeGreaterThan(1);
  answer('b2', [1], 2);
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[1]?.message).toMatchObject({ restarted: true, missed: 0, cut: 2, lines: [{ number: 1 }] });
});
