import type { RunPlan } from '@millrace/graph';
import type { TableStanding } from '@millrace/protocol';
import { expect, it } from 'vitest';
import { indexOfReading, TableInput } from './table-input.ts';

/** Two tables, the second behind a map, and what is no table. */
const plan = {
  nodes: [
    { kind: 'injector', inputs: [] },
    { kind: 'injector', inputs: [] },
    { kind: 'computation', inputs: [0] },
    { kind: 'injector', inputs: [] },
  ],
  streams: [{ from: 1 }],
} as unknown as RunPlan;

function inputOf(senders: readonly number[], isSpare = false) {
  const standings = new Map<number, TableStanding>();
  let watermark: number | undefined;
  const input = new TableInput({
    plan,
    senders,
    numberOf: (node) => node + 7,
    standingOf: (node) => standings.get(node),
    watermark: () => watermark,
    isSpare,
  });
  return {
    input,
    standings,
    moveTo: (time: number) => {
      watermark = time;
    },
  };
}

const standing = (from: number, until: number, ...fresh: TableStanding['fresh']): TableStanding => ({
  from,
  until,
  fresh,
});

it('TR3: a reading counts once its mark is known and all that sends its rows have passed it', () => {
  const { input, standings, moveTo } = inputOf([0, 2]);
  standings.set(0, standing(10, 100));
  input.settle(50);
  expect(input.knowledge).toBeUndefined();
  standings.set(1, standing(60, 90));
  input.settle(50);
  expect(input.knowledge).toBeUndefined();
  input.settle(undefined);
  expect(input.knowledge).toBeUndefined();
  input.settle(60);
  expect(input.knowledge?.until).toBe(90);
  standings.set(0, standing(95, 200));
  standings.set(1, standing(91, 190));
  input.settle(94);
  expect(input.knowledge?.until).toBe(100);
  moveTo(120);
  expect(input.knowledge?.until).toBe(120);
});

it('an input with something that is no table in front of it knows none', () => {
  const { input, standings } = inputOf([0, 3]);
  standings.set(0, standing(0, 100));
  input.settle(100);
  expect(input.knowledge).toBeUndefined();
});

it('a spare goes by what is committed', () => {
  const { input, standings } = inputOf([0], true);
  standings.set(0, standing(10, 100));
  input.settle(undefined);
  expect(input.knowledge?.until).toBe(100);
});

it('LK3: rows are gone from where the next reading from scratch of their own table begins', () => {
  const { input, standings } = inputOf([0, 2]);
  const at = (count: number, node: number) => indexOfReading(count, node + 7);
  const fresh = [1, 3].map((count) => ({ index: at(count, 0), start: count * 100 }));
  standings.set(0, standing(0, 500, ...fresh));
  standings.set(1, standing(0, 500, { index: at(2, 1), start: 50 }));
  expect([at(1, 0), at(2, 0), at(3, 0), at(1, 1), at(2, 1)].map((index) => input.goneFrom(index))).toEqual([
    300,
    300,
    Infinity,
    50,
    Infinity,
  ]);
});
