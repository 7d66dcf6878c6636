import { readFolder, validateFolder, writeFolder } from '@millrace/graph';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changed, check, flights, folderOf, types } from '../test/fixture.ts';
import { layoutProject } from './layout/index.ts';

const words = fc.constantFrom(
  '__proto__',
  'constructor',
  'param',
  'n_count',
  's_1',
  'code',
  'nodes/../x',
  '',
  '\u0000',
  '`',
  '*/',
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    words,
    fc.string(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(words, fc.string()), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

/** One place of a sound pipeline, replaced by anything. */
const broken = fc.tuple(fc.nat(60), json).map(([place, value]) => {
  let left = place;
  const replace = (at: unknown): unknown => {
    if (left-- === 0) return value;
    if (Array.isArray(at)) return at.map(replace);
    if (typeof at !== 'object' || at === null) return at;
    return Object.fromEntries(Object.entries(at).map(([key, member]) => [key, replace(member)]));
  };
  return replace(flights());
});

describe('hostile input', () => {
  it('reading, judging, laying out and writing are total, and every issue has a place', () => {
    fc.assert(
      fc.property(fc.oneof(json, broken), (pipeline) => {
        const folder = readFolder(new Map([['pipeline.json', JSON.stringify(pipeline)]]));
        for (const issue of validateFolder(folder, types)) {
          expect(issue.line).toBeGreaterThan(0);
          expect(issue.column).toBeGreaterThan(0);
          expect(issue.message.length).toBeGreaterThan(10);
        }
        layoutProject(folder, types);
        expect(readFolder(writeFolder(folder.pipeline, folder.files)).readable).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('texts of people cannot break out of generated files', async () => {
    const pipeline = changed((p) => {
      p.name = '*/ import x from "node:fs"; /*';
      p.streams.s_2.to[1] = 'counts';
      p.nodes.n_flights.config = {
        path: 'x',
        format: 'csv',
        columns: { 'a"; import "node:fs"; "': 'number', origin: 'string', at: 'number', delay: 'number' },
        timestamp: 'value.at',
      };
    });
    expect(await check({ pipeline })).toEqual([]);
  });

  it('a chain of three hundred code nodes is checked without an error of depth', async () => {
    const files: Record<string, string> = {};
    const pipeline = { format: 1, name: 'chain', nodes: {}, streams: {} } as ReturnType<typeof flights>;
    pipeline.nodes.n_in = {
      type: 'injector/file',
      name: 'in',
      config: { path: 'x', format: 'jsonl', type: '{ a: number }' },
    };
    for (let i = 0; i < 300; i++) {
      files[`nodes/m${i}.ts`] = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';
export interface Outputs { out: { a: number } }
export default computation<Inputs, Outputs>({ processRecord: (record, ctx) => ctx.produce('out', { a: record.value.a }) });
`;
      pipeline.nodes[`n_${i}`] = { type: 'code', name: `m${i}`, code: `nodes/m${i}.ts` };
      pipeline.streams[`s_${i}`] = { from: [i === 0 ? 'n_in' : `n_${i - 1}`, 'out'], to: [`n_${i}`, 'x'] };
    }
    const issues = await check({ pipeline, files });
    expect(issues.filter(({ code }) => code !== 'unused-code')).toEqual([]);
  });

  it('lib files may have names of any script', async () => {
    const files = {
      'lib/größe.ts': 'export const hourOf = (t: number): number => t;\n',
      'lib/hours.ts': "export { hourOf } from './größe';\n",
    };
    expect(await check({ files })).toEqual([]);
    expect(folderOf({ files }).files.has('lib/größe.ts')).toBe(true);
  });
});
