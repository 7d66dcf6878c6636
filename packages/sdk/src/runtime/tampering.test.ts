import { expect, test } from 'vitest';
import { computation } from '../api.ts';
import { Harness } from '../testing/harness.ts';

test('P8: a handler that changes the class of its context or record throws, and the next call finds it whole', () => {
  const tamper = computation<{ in: string }, { out: string }, unknown, { maps: { m: number } }>({
    processRecord(record, ctx) {
      const target = { ctx, record, map: ctx.map('m') }[record.value as 'ctx' | 'record' | 'map'] as object;
      if (record.value !== 'honest') Object.getPrototypeOf(target).produce = () => undefined;
      ctx.produce('out', record.value);
    },
  });
  const harness = new Harness(tamper, {});
  for (const value of ['ctx', 'record', 'map']) {
    expect(() => harness.record({ stream: 'in', key: 'k', value, timestamp: 0 })).toThrow(
      /not extensible|read only/,
    );
  }
  harness.record({ stream: 'in', key: 'k', value: 'honest', timestamp: 0 });
  expect(harness.outputs('out').map(({ value }) => value)).toEqual(['honest']);
});
