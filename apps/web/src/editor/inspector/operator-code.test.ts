import type { Node, Parameter } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { turnedIntoCode } from './operator-code.ts';

const node = (type: string, config: Node['config']): Node => ({
  id: 'n_1',
  type,
  name: 'x',
  code: undefined,
  config,
  exactlyOnce: true,
  productions: 'strong',
  idempotent: false,
});
const gap: Parameter = { type: 'duration', default: '30m', description: undefined };
const pipeline = { parameters: new Map([['gap', gap]]) };

describe('turning an operator into code', () => {
  it('gives the call its form stands for, as one would write it', () => {
    const filter = node('operator/filter', { expression: 'value.delay > 0' });
    expect(turnedIntoCode(filter, pipeline)).toEqual({
      text: [
        "import { filter, input } from '@millrace/sdk';",
        "import type { Inputs } from './streams';",
        '',
        "export default filter(input<Inputs['in']>(), (value, record) => value.delay > 0);",
        '',
      ].join('\n'),
      fixed: [],
    });
    expect(turnedIntoCode(filter, pipeline, true)?.text).toContain('input<any>()');
  });

  it('puts in the values of parameters, and names those that are lost by it', () => {
    const sessions = node('operator/aggregate', {
      window: { type: 'session', gap: { param: 'gap' } },
      aggregates: { n: { type: 'count' } },
    });
    const turned = turnedIntoCode(sessions, pipeline);
    expect(turned?.text).toContain("window: sessions('30m')");
    expect(turned?.fixed).toEqual(['gap']);
    expect(turnedIntoCode(sessions, { parameters: new Map() })).toBeUndefined();
  });

  it('is not offered for anything else', () => {
    expect(turnedIntoCode(node('sink/discard', {}), pipeline)).toBeUndefined();
    expect(turnedIntoCode(node('operator/map', {}), pipeline)).toBeUndefined();
  });
});
