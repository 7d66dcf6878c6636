import ts from 'typescript-js';
import { describe, expect, it } from 'vitest';
import { folderOf, types } from '../test/fixture.ts';
import { generateTypes } from './generate-types.ts';

describe('generateTypes', () => {
  it('gives every code node its streams and links to the file that is edited', () => {
    const { files, links } = generateTypes(folderOf(), types);
    expect(files.get('n_busy/streams.d.ts')).toContain('"counts": import(\'../prelude\').PortOf<');
    expect(files.get('n_count/streams.d.ts')).toContain('readonly "gap": string;');
    expect(Object.fromEntries(links)).toEqual({
      'n_busy/node.ts': '../../nodes/busy.ts',
      'n_count/node.ts': '../../nodes/count-by-hour.ts',
      'lib/hours.ts': '../../lib/hours.ts',
    });
    expect([...files.keys()].every((path) => !path.startsWith('/') && !path.includes('..'))).toBe(true);
  });

  it('writes options that TypeScript reads without complaint and never says any in Inputs', () => {
    const { files } = generateTypes(folderOf(), types);
    const parsed = ts.parseConfigFileTextToJson('tsconfig.json', files.get('tsconfig.json') ?? '');
    const { errors } = ts.convertCompilerOptionsFromJson(parsed.config.compilerOptions, '/x/.millrace');
    expect(errors).toEqual([]);
    for (const [path, text] of files) if (path.endsWith('streams.d.ts')) expect(text).not.toMatch(/\bany\b/);
  });
});
