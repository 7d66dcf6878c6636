import { expect, test } from 'vitest';
import { documentOfFiles } from '../../document/version-draft.ts';
import { findPlace } from './code-place.ts';

const document = documentOfFiles({
  'pipeline.json': JSON.stringify({
    format: 1,
    name: 'one',
    nodes: { n_a: { type: 'code', name: 'a', code: 'nodes/a.ts' } },
    streams: {},
  }),
  'nodes/a.ts': 'throw 1;',
  'lib/shared.ts': 'export {};',
});

test('a place leads to the node or the shared file whose code it is in, at its line', () => {
  expect(findPlace('nodes/a.ts:4:11', document)).toEqual({ id: 'n_a', at: { line: 4, column: 11 } });
  expect(findPlace('lib/shared.ts:1:2', document)?.at).toEqual({ line: 1, column: 2 });
});

test('a place in code that is not there any more, or no place, leads nowhere', () => {
  expect(findPlace('nodes/gone.ts:4:11', document)).toBeUndefined();
  expect(findPlace(null, document)).toBeUndefined();
});
