import { connectorSpecs } from '@millrace/connectors/specs';
import { nodeTypes } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { rankTypes } from './rank-types.ts';

const specs = [...nodeTypes(connectorSpecs).values()];
const types = (wanted: Partial<Parameters<typeof rankTypes>[1]>) =>
  rankTypes(specs, { query: '', recent: [], ...wanted }).map(({ type }) => type);

describe('quick-add', () => {
  it('offers only what fits the port one came from', () => {
    expect(types({ end: 'output' }).some((type) => type.startsWith('injector/'))).toBe(false);
    expect(types({ end: 'input' }).some((type) => type.startsWith('sink/'))).toBe(false);
    expect(types({})).toHaveLength(specs.length);
  });

  it('puts names before descriptions, and what was used lately first among equals', () => {
    expect(types({ query: 'fil' })[0]).toBe('operator/filter');
    expect(types({ query: 'file', recent: ['sink/file'] })[0]).toBe('sink/file');
    expect(types({ recent: ['sink/http', 'code'] }).slice(0, 2)).toEqual(['sink/http', 'code']);
  });

  it('offers nothing for words that are nowhere', () => {
    expect(types({ query: 'file xyzzy' })).toEqual([]);
  });
});
