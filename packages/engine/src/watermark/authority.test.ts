import { ENDED, NOT_YET, type Watermark } from '@millrace/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WatermarkAuthority } from './authority.ts';

const at = (time: number): Watermark => ({ kind: 'at', time });
const idle = (time?: number): Watermark => ({ kind: 'idle', time });

describe('WatermarkAuthority', () => {
  it('W5: keeps the reports of each worker apart, and tells whether one changed anything', () => {
    const authority = new WatermarkAuthority(2, 2);
    expect(authority.report(0, [at(5), NOT_YET])).toBe(true);
    expect(authority.report(0, [at(5), NOT_YET])).toBe(false);
    expect(authority.table(0)).toEqual([at(5), NOT_YET]);
    expect(authority.table(1)).toEqual([NOT_YET, NOT_YET]);
  });

  it('WA1 (C45): a new worker of a slot that knows less does not move a node back', () => {
    const authority = new WatermarkAuthority(1, 1);
    authority.report(0, [at(100)]);
    for (const less of [at(50), NOT_YET, idle(50)]) expect(authority.report(0, [less])).toBe(false);
    expect(authority.table(0)).toEqual([at(100)]);
  });

  it('WA1: becoming idle without a time does not forget how far the node had come', () => {
    const authority = new WatermarkAuthority(1, 1);
    authority.report(0, [at(100)]);
    authority.report(0, [idle()]);
    expect(authority.table(0)).toEqual([idle(100)]);
    expect(authority.report(0, [at(50)])).toBe(false);
    expect(authority.report(0, [at(101)])).toBe(true);
  });

  it('WA1: what has ended stays ended', () => {
    const authority = new WatermarkAuthority(1, 1);
    authority.report(0, [ENDED]);
    for (const less of [at(50), NOT_YET, idle(50)]) expect(authority.report(0, [less])).toBe(false);
    expect(authority.endedEverywhere(0)).toBe(true);
  });

  it('W4: over all workers, a node has no watermark until each has one, and is idle or ended in words', () => {
    const over = (...all: Watermark[]) => {
      const authority = new WatermarkAuthority(all.length, 1);
      all.forEach((watermark, slot) => {
        authority.report(slot, [watermark]);
      });
      return authority.overall(0);
    };
    expect(over(at(5), NOT_YET)).toEqual(NOT_YET);
    expect(over(at(5), at(3), idle(1))).toEqual(at(3));
    expect(over(at(5), ENDED)).toEqual(at(5));
    expect(over(idle(1), idle(7), idle())).toEqual(idle(7));
    expect(over(idle(1), ENDED)).toEqual(idle(1));
    expect(over(ENDED, ENDED)).toEqual(ENDED);
  });

  it('takes a table that is too short or too long for what it names', () => {
    const authority = new WatermarkAuthority(1, 2);
    authority.report(0, [at(1)]);
    authority.report(0, [at(2), at(2), at(2)]);
    expect(authority.table(0)).toEqual([at(2), at(2)]);
  });

  it('W3: the time of a node on a worker never falls, whatever is reported', () => {
    const watermark = fc.oneof(
      fc.integer({ min: -9, max: 9 }).map(at),
      fc.option(fc.integer({ min: -9, max: 9 }), { nil: undefined }).map(idle),
      fc.constantFrom(NOT_YET, ENDED),
    );
    const rank = (w: Watermark) =>
      w.kind === 'ended' ? Infinity : 'time' in w && w.time !== undefined ? w.time : -Infinity;
    fc.assert(
      fc.property(fc.array(watermark), (reports) => {
        const authority = new WatermarkAuthority(1, 1);
        let before = -Infinity;
        for (const report of reports) {
          authority.report(0, [report]);
          const now = rank(authority.table(0)[0] as Watermark);
          expect(now).toBeGreaterThanOrEqual(before);
          before = now;
        }
      }),
    );
  });

  it('WA3: where keys are taken over a node goes down to their old owner, and hears no report until it has them', () => {
    const authority = new WatermarkAuthority(2, 1);
    authority.report(0, [at(10)]);
    authority.report(1, [at(50)]);
    authority.pin(1, 0, authority.table(0)[0]);
    expect(authority.table(1)).toEqual([at(10)]);
    expect(authority.overall(0)).toEqual(at(10));
    expect(authority.report(1, [at(55)])).toBe(false);
    authority.unpin(1, 0);
    expect(authority.report(1, [at(12)])).toBe(true);
    expect(authority.table(1)).toEqual([at(12)]);
  });

  it('WA3: an old owner that holds nobody takes nobody down, and one that has ended not at all', () => {
    for (const least of [idle(10), ENDED]) {
      const authority = new WatermarkAuthority(2, 1);
      authority.report(0, [least]);
      authority.report(1, [at(50)]);
      authority.pin(1, 0, authority.table(0)[0]);
      expect(authority.table(1)).toEqual([at(50)]);
      expect(authority.report(1, [at(55)])).toBe(true);
    }
  });
});
