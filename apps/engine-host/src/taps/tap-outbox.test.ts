import type { ControlTapBatch } from '@millrace/protocol/control';
import { expect, it } from 'vitest';
import { type TapMessage, TapOutbox } from './tap-outbox.ts';

const record = (text: string) => ({ key: '', timestamp: 1, id: '', text, cut: false });
const batch = (seen: number, texts: readonly string[], stream = 's_0'): ControlTapBatch => ({
  stream,
  seen,
  records: texts.map(record),
  earlier: false,
});

function setUp() {
  const sent: TapMessage[] = [];
  const outbox = new TapOutbox((message) => sent.push(message));
  return { sent, outbox };
}

it('CP5: has one message on its way, and then one with all that came meanwhile', () => {
  const { sent, outbox } = setUp();
  outbox.put(batch(1, ['a']));
  outbox.put(batch(2, ['b']));
  outbox.put(batch(3, []));
  expect(sent).toEqual([{ batches: [batch(1, ['a'])], dropped: 0 }]);
  outbox.taken();
  expect(sent[1]).toEqual({ batches: [batch(5, ['b'])], dropped: 0 });
  outbox.taken();
  outbox.put(batch(1, ['c']));
  expect(sent).toHaveLength(3);
});

it('CP5: a server that takes nothing costs a bounded memory, and is told what it missed', () => {
  const { sent, outbox } = setUp();
  outbox.put(batch(1, []));
  for (let i = 0; i < 10_000; i++) outbox.put(batch(7, ['x'.repeat(1_000)], `s_${i % 3}`));
  outbox.taken();
  const { batches, dropped } = sent[1] as TapMessage;
  const kept = batches.flatMap(({ records }) => records);
  expect(kept.length).toBeLessThanOrEqual(1_000);
  expect(kept.length + dropped).toBe(10_000);
  expect(batches.length).toBeLessThan(2_100);
  expect(batches.reduce((sum, { seen }) => sum + seen, 0)).toBe(70_000);
});
