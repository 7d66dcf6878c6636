import { expect, test } from 'vitest';
import { LogBook } from './log-book.ts';

const line = (text: string) => ({ time: 1, version: 1, node: 'n_a', level: 'info' as const, key: '', text });

test('keeps the newest 2,000 lines and 1 MiB of text, numbered without a gap', () => {
  const book = new LogBook();
  for (let n = 1; n <= 2_500; n++) book.add([line(String(n))], 0);
  const first = book.read(0).lines;
  expect([first[0]?.number, first[0]?.text, first.length]).toEqual([501, '501', 200]);
  expect(book.read(2_499).lines.map(({ number }) => number)).toEqual([2_500]);
  for (let n = 0; n < 300; n++) book.add([line('x'.repeat(4_000))], 0);
  const [oldest] = book.read(0).lines;
  expect(oldest?.number).toBe(2_800 - 262 + 1);
});

test('a reader waits for what comes next, and no longer than it said', async () => {
  const book = new LogBook();
  await book.newer(0, 1);
  expect(book.read(0)).toEqual({ book: book.id, lines: [], cut: 0 });
  const waiting = book.newer(0, 60_000);
  book.add([line('a')], 3);
  await waiting;
  expect(book.read(0)).toMatchObject({ lines: [{ number: 1, text: 'a' }], cut: 3 });
});
