import { setOwn } from '@millrace/graph';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { company } from '../../test/company.ts';
import { draftOf } from '../../test/fixture.ts';
import { copySelection, readSelection, selectionText } from './selection.ts';

describe('a selection as text', () => {
  it('reads back as what was copied', () => {
    const draft = draftOf();
    const selection = copySelection(draft, { nodes: ['n_late', 'n_count', 'n_gone'], notes: ['t_1'] });
    const text = selectionText(selection);
    expect(readSelection(text)).toEqual(selection);
    expect(JSON.parse(text)).toMatchObject({ millrace: 'selection' });
    expect([...selection.pipeline.streams.keys()]).toEqual(['s_2']);
  });

  it('can be pasted into another pipeline', () => {
    const { ann, bob } = company();
    const text = selectionText(copySelection(ann.document, { nodes: ['n_count'] }));
    const selection = readSelection(text);
    if (selection === undefined) throw new Error('the selection was not read');
    const { made } = bob.does({ kind: 'paste', selection, at: [0, 0] });
    expect(bob.codeOf(made[0] ?? '')).toBe('export default 1;\n');
  });

  it('any other text is no selection', () => {
    for (const text of [
      '',
      'hello',
      '{}',
      '{"millrace":"selection"}',
      '{"millrace":1}',
      '[1]',
      'null',
      '"millrace"',
    ]) {
      expect(readSelection(text)).toBeUndefined();
    }
  });

  it('whatever a clipboard holds: reading it does not throw, nor does pasting it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.jsonValue(), fc.jsonValue(), (pipeline, layout, code) => {
        const text = JSON.stringify({ millrace: 'selection', pipeline, layout, code });
        readSelection(text);
      }),
    );
    const nodes = { n_1: { type: 'code', name: 'a', code: '../../x.ts', config: setOwnOf('__proto__', 1) } };
    const text = JSON.stringify({
      millrace: 'selection',
      pipeline: { format: 1, name: 'x', nodes },
      code: { '../../x.ts': 'a' },
    });
    const selection = readSelection(text);
    expect(selection?.codes.size).toBe(0);
    const { ann } = company();
    if (selection === undefined) throw new Error('the selection was not read');
    expect(() => ann.does({ kind: 'paste', selection, at: [0, 0] })).toThrow('bad-setting');
  });
});

function setOwnOf(key: string, value: unknown): object {
  const target = {};
  setOwn(target, key, value);
  return target;
}
