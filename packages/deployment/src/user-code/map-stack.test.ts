import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { stackMapper } from './map-stack.ts';

const source = `interface Row { n: number }

export function check(row: Row): void {
  if (row.n < 0) throw new Error('negative');
}
`;
const bundleOf = (sourcefile: string) =>
  transformSync(source, { loader: 'ts', sourcemap: 'inline', sourcefile }).code;

/** A stack as V8 writes it for the `throw` of this bundle. */
function stackOf(bundle: string): string {
  const lines = bundle.split('\n');
  const line = lines.findIndex((text) => text.includes('throw'));
  const column = lines[line]?.indexOf('new Error') ?? 0;
  return [
    'Error: negative',
    `    at check (blob:null/1b2c-3d:${line + 1}:${column + 1})`,
    '    at #call (file:///opt/millrace/boot.js:410:26)',
    '    at async runSteps (ext:core/01.js:1:2)',
  ].join('\n');
}

describe('a stack of a code bundle', () => {
  it('P8: is told in lines of the TypeScript, without those of Millrace', () => {
    const bundle = bundleOf('nodes/check.ts');
    expect(stackMapper(bundle)(stackOf(bundle))).toBe('Error: negative\n    at check (nodes/check.ts:4:24)');
  });

  it('leaves out what is not of the pipeline', () => {
    const bundle = bundleOf('millrace:/sdk/api.ts');
    expect(stackMapper(bundle)(stackOf(bundle))).toBe('Error: negative');
  });

  it('leaves texts alone that are no stack, and everything where there is no map', () => {
    const bundle = bundleOf('nodes/check.ts');
    expect(stackMapper(bundle)('expected 1\n  at least')).toBe('expected 1\n  at least');
    expect(stackMapper('export {}')(stackOf(bundle))).toBe(stackOf(bundle));
  });
});
