import type { PlanNode } from '@millrace/graph';
import type { WorkerConfiguration } from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import { Care } from './care.ts';
import { type CallInput, inputIdentity } from './computation-stage.ts';

const node = { id: 'n' } as PlanNode;
const input = { id: 'a', stream: 'in' } as CallInput;

function careOf(configuration: Pick<WorkerConfiguration, 'careful' | 'poison'>) {
  const said: string[] = [];
  const care = new Care(
    configuration as WorkerConfiguration,
    (identity) => said.push(identity),
    () => 0,
  );
  return { care, said };
}

describe('Care', () => {
  it('P8: names every input before it runs, and none once it has run', () => {
    const { care, said } = careOf({ careful: true, poison: {} });
    care.beforeCall(node, input, 0);
    care.between();
    care.between();
    expect(said).toEqual([inputIdentity('n', input), '']);
  });

  it('P8: names an async call as long as it is in flight and nothing else runs, and lets no other begin', () => {
    const { care, said } = careOf({ careful: true, poison: {} });
    const other = { id: 'b', stream: 'in' } as CallInput;
    care.beforeCall(node, input, 0);
    care.take();
    care.between();
    care.beforeCall(node, other, 0);
    care.between();
    expect([care.isFree, said]).toEqual([
      false,
      [input, input, other, input].map((each) => inputIdentity('n', each)),
    ]);
    care.give();
    care.between();
    expect([care.isFree, said.at(-1)]).toEqual([true, '']);
  });

  it('P8: refuses what ended a worker, and names nothing then', () => {
    const { care, said } = careOf({ careful: true, poison: { [inputIdentity('n', input)]: 'it ended one' } });
    expect(care.beforeCall(node, input, 0)?.message).toBe('it ended one');
    care.between();
    expect(said).toEqual([]);
  });

  it('names nothing in a worker whose predecessor ended well, or behind its first bundles', () => {
    const { care, said } = careOf({ careful: false, poison: {} });
    care.beforeCall(node, input, 0);
    care.between();
    const late = careOf({ careful: true, poison: {} });
    late.care.beforeCall(node, input, 64);
    late.care.between();
    expect([...said, ...late.said]).toEqual([]);
  });
});
