import type { Node } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { operatorCode } from './operator-code.ts';

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

describe('turning an operator into code', () => {
  it('gives the call its form stands for', () => {
    expect(operatorCode(node('operator/filter', { expression: 'value.delay > 0' }))).toBe(
      [
        "import { filter, input } from '@millrace/sdk';",
        "import type { Inputs } from './streams';",
        '',
        "export default filter(input<Inputs['in']>(), (value, record) => value.delay > 0);",
        '',
      ].join('\n'),
    );
  });

  it('names no file of the compiler', () => {
    const config = {
      window: { type: 'tumbling', size: '10s' },
      aggregates: { mean: { type: 'avg', of: 'value.ms' } },
    };
    const code = operatorCode(node('operator/aggregate', config)) ?? '';
    expect(code).toContain('avg((value) => value.ms)');
    expect(code).not.toMatch(/prelude|Loose/);
  });

  it('is not offered for anything else', () => {
    expect(operatorCode(node('sink/discard', {}))).toBeUndefined();
    expect(operatorCode(node('operator/map', {}))).toBeUndefined();
  });
});
