import { type Batch, SINK_SLOT } from '@millrace/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Deliveries, sinkTarget, slotTarget } from './deliveries.ts';

const batch = (slot: number, node = 1, size = 3): Batch => ({
  node,
  stream: 0,
  slot,
  count: size,
  bytes: new Uint8Array(size).fill(slot),
});

describe('Deliveries', () => {
  it('DV1 (P11): gives each target its batches in log order; slots and sinks are targets of their own', () => {
    const deliveries = new Deliveries();
    expect(deliveries.add(1, [batch(0), batch(1), batch(SINK_SLOT, 7)], 0)).toEqual(
      new Set([slotTarget(0), slotTarget(1), sinkTarget(7)]),
    );
    deliveries.add(2, [batch(0)], 0);
    expect([deliveries.take(slotTarget(0))?.position, deliveries.take(slotTarget(0))?.position]).toEqual([
      1, 2,
    ]);
    expect(deliveries.take(slotTarget(0))).toBeUndefined();
    expect(deliveries.take(sinkTarget(7))?.batches).toEqual([batch(SINK_SLOT, 7)]);
  });

  it('DV4 (P9): what goes out early keeps its place, is counted when it is committed, and leaves without a trace when it is not', () => {
    const deliveries = new Deliveries();
    const target = slotTarget(0);
    deliveries.addEarly(target, 1, [batch(0)], 0);
    deliveries.addEarly(target, 2, [batch(0)], 0);
    expect(deliveries.take(target)?.position).toBe(1);
    expect([deliveries.bytes, deliveries.inFlightOf(0), deliveries.oldestInLog]).toEqual([0, 0, undefined]);
    expect(deliveries.saveThrough(9)).toEqual([]);
    deliveries.add(1, [batch(0), batch(1)], 0);
    expect([deliveries.bytes, deliveries.inFlightOf(0), deliveries.oldestInLog]).toEqual([6, 6, 1]);
    expect([deliveries.isWith(target, 1), deliveries.isWith(target, 2)]).toEqual([true, false]);
    expect(deliveries.withdraw(target, 2)).toBe(false);
    expect(deliveries.withdraw(target, 1)).toBe(false);
    expect(deliveries.take(target)).toBeUndefined();
    deliveries.addEarly(target, 3, [batch(0)], 0);
    expect(deliveries.take(target)?.position).toBe(3);
    expect(deliveries.withdraw(target, 3)).toBe(true);
    deliveries.acknowledge(target, 1);
    expect([deliveries.isEmpty(target), deliveries.takenBy(target)]).toEqual([true, 0]);
  });

  it('DV2 (P3): a batch stays until its receiver’s commit covers it, and goes again after a receiver was lost', () => {
    const deliveries = new Deliveries();
    const target = slotTarget(0);
    for (const position of [1, 2, 3]) deliveries.add(position, [batch(0)], 0);
    deliveries.take(target);
    deliveries.take(target);
    deliveries.acknowledge(target, 1);
    expect([deliveries.takenBy(target), deliveries.isEmpty(target)]).toEqual([1, false]);
    deliveries.untake(target);
    expect([2, 3].map(() => deliveries.take(target)?.position)).toEqual([2, 3]);
    expect(deliveries.isWaiting(target)).toBe(false);
    deliveries.acknowledge(target, 3);
    expect([deliveries.isEmpty(target), deliveries.bytes, deliveries.oldestInLog]).toEqual([
      true,
      0,
      undefined,
    ]);
  });

  it('what waits is saved once as a row, read back as it was, and its row dropped when it is acknowledged', () => {
    const deliveries = new Deliveries();
    deliveries.add(1, [batch(0), batch(SINK_SLOT, 2)], 0);
    deliveries.add(5, [batch(0, 1, 9)], 0);
    const rows = deliveries.saveThrough(4);
    expect(rows.map(({ position, ordinal }) => [position, ordinal])).toEqual([
      [1, slotTarget(0)],
      [1, sinkTarget(2)],
    ]);
    expect([deliveries.saveThrough(4), deliveries.oldestInLog]).toEqual([[], 5]);
    const restored = new Deliveries();
    for (const row of rows) restored.restoreRow(row, 0);
    restored.add(5, [batch(0, 1, 9)], 0);
    expect([restored.bytes, restored.oldestInLog, restored.pendingOf(1)]).toEqual([deliveries.bytes, 5, 12]);
    expect(restored.take(slotTarget(0))).toMatchObject({ position: 1, batches: [batch(0)], saved: true });
    restored.acknowledge(slotTarget(0), 5);
    expect(restored.takeRowsToDrop()).toEqual([{ position: 1, ordinal: slotTarget(0) }]);
    expect(restored.takeRowsToDrop()).toEqual([]);
  });

  it('DV1–DV3: nothing is lost, doubled, out of order or uncounted, whatever happens to the receiver', () => {
    const step = fc.constantFrom('add', 'take', 'acknowledge', 'lose', 'save');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const deliveries = new Deliveries();
        let position = 0;
        let acknowledged = 0;
        let taken = 0;
        for (const each of steps) {
          if (each === 'add') deliveries.add(++position, [batch(0)], 0);
          else if (each === 'take') {
            const item = deliveries.take(0);
            expect(item?.position).toBe(taken < position ? taken + 1 : undefined);
            if (item !== undefined) taken++;
          } else if (each === 'lose') {
            deliveries.untake(0);
            taken = acknowledged;
          } else if (each === 'save') deliveries.saveThrough(position - 1);
          else {
            acknowledged = taken;
            deliveries.acknowledge(0, acknowledged);
          }
          expect(deliveries.bytes).toBe((position - acknowledged) * 3);
          expect(deliveries.isEmpty(0)).toBe(position === acknowledged);
        }
      }),
    );
  });
});
