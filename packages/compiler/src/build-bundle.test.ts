import { compilePlan, resolveParameters } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { BUSY, changed, flights, folderOf, type Parts, types } from '../test/fixture.ts';
import { type BuiltBundle, buildBundle } from './build-bundle.ts';
import type { PipelineCode } from './pipeline-code.ts';

async function build(parts: Parts = {}, inProcess = true): Promise<BuiltBundle> {
  const folder = folderOf(parts);
  const { values } = resolveParameters(folder.pipeline.parameters);
  return buildBundle(folder, compilePlan(folder.pipeline, types, values), { inProcess });
}

async function load(parts: Parts = {}): Promise<PipelineCode> {
  const built = await build(parts);
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  const url = `data:text/javascript;base64,${Buffer.from(built.code).toString('base64')}`;
  return ((await import(/* @vite-ignore */ url)) as { default: PipelineCode }).default;
}

const record = { key: 'k', timestamp: 5 } as never;

describe('buildBundle', () => {
  it('the default export holds nodes, keys and timestamps by id', async () => {
    const code = await load();
    expect(Object.keys(code.nodes).sort()).toEqual(['n_busy', 'n_count']);
    expect(code.nodes.n_count?.kind).toBe('computation');
    expect(code.keyBy.s_1?.({ origin: 'JFK' }, record)).toBe('JFK');
    expect(code.timestamps.n_flights?.({ at: 7 }, record)).toBe(7);
    expect(code.values).toEqual({});
    expect(code.sdkVersion).toBe('0.1.0');
  });

  it('equal input gives equal text, in this process and in the child', async () => {
    const [a, b] = [await build(), await build({}, false)];
    expect(a.kind).toBe('built');
    expect(b).toEqual(a);
  });

  it('has no import left and maps back to the files of the folder', async () => {
    const built = await build();
    const text = built.kind === 'built' ? built.code : '';
    const [code, map] = text.split('//# sourceMappingURL=data:application/json;base64,');
    expect(code).not.toMatch(/\bimport\b/);
    const { sources } = JSON.parse(Buffer.from(map ?? '', 'base64').toString()) as { sources: string[] };
    expect(sources).toContain('nodes/count-by-hour.ts');
    expect(sources).toContain('lib/hours.ts');
    expect(sources).toContain('pipeline.json/streams.s_1.keyBy');
    expect(
      sources.every((source) => /^(nodes|lib|pipeline\.json|@millrace\/sdk)\/|^\/entry\.js$/.test(source)),
    ).toBe(true);
  });

  it('a module that throws while it is loaded is a failed node by name; the others are there', async () => {
    const code = await load({ files: { 'nodes/busy.ts': `throw new Error('boom');\n${BUSY}` } });
    expect(code.nodes.n_busy).toMatchObject({ kind: 'failed', error: { message: 'boom' } });
    expect(code.nodes.n_count?.kind).toBe('computation');
  });

  it('a lib file that throws while it is loaded fails every node that imports it', async () => {
    const busy = `import { hourOf } from '#lib/hours';\nhourOf(1);\n${BUSY}`;
    const lib = "export const hourOf = (t: number): number => t;\nthrow new Error('broken lib');\n";
    const code = await load({ files: { 'lib/hours.ts': lib, 'nodes/busy.ts': busy } });
    for (const id of ['n_busy', 'n_count'])
      expect(code.nodes[id], id).toMatchObject({ kind: 'failed', error: { message: 'broken lib' } });
  });

  it('throw null and a default export that is no computation are failed nodes too', async () => {
    const nothing = await load({ files: { 'nodes/busy.ts': `throw null;\n${BUSY}` } });
    expect(nothing.nodes.n_busy).toEqual({ kind: 'failed', error: null });
    const other = await load({ files: { 'nodes/busy.ts': 'export default 3;\n' } });
    expect(other.nodes.n_busy).toMatchObject({
      kind: 'failed',
      error: { message: expect.stringContaining('nodes/busy.ts has no computation') },
    });
  });

  it('operators are made from their forms, with parameters put in', async () => {
    const pipeline = flights();
    pipeline.nodes.n_agg = {
      type: 'operator/aggregate',
      name: 'agg',
      config: {
        window: { type: 'session', gap: { param: 'gap' } },
        aggregates: { flights: { type: 'count' }, late: { type: 'sum', of: 'value.delay // minutes' } },
      },
    };
    pipeline.nodes.n_some = {
      type: 'operator/filter',
      name: 'some',
      config: { expression: 'value.late > 10' },
    };
    pipeline.nodes.n_gen = {
      type: 'injector/generator',
      name: 'gen',
      config: { value: '({ n, t: time, r: random() })' },
    };
    pipeline.streams.s_4 = { from: ['n_flights', 'out'], to: ['n_agg', 'in'] };
    pipeline.streams.s_5 = { from: ['n_agg', 'out'], to: ['n_some', 'in'] };
    const code = await load({ pipeline });
    expect(code.nodes.n_agg).toMatchObject({
      kind: 'computation',
      stateShape: expect.stringContaining('1800000'),
    });
    expect(code.nodes.n_some).toMatchObject({ kind: 'computation', stateless: true });
    expect(code.values.n_gen?.(3, 9, () => 0.5)).toEqual({ n: 3, t: 9, r: 0.5 });
  });

  it('an import that escaped the check does not get into a bundle', async () => {
    for (const line of [
      "import x from 'node:fs'; x;",
      "const f = require('fs'); f;",
      "export * from '/etc/passwd';",
      "import y from '../../../etc/passwd'; y;",
    ]) {
      const built = await build({ files: { 'nodes/busy.ts': `${line}\n${BUSY}` } });
      expect(built.kind, line).toBe('failed');
      if (built.kind === 'failed') {
        expect(built.issues[0]).toMatchObject({
          code: 'bundle',
          file: 'nodes/busy.ts',
          line: 1,
          node: 'n_busy',
        });
      }
    }
  });

  it('an expression that is no JavaScript fails at its place in pipeline.json', async () => {
    const built = await build({ pipeline: changed((p) => (p.streams.s_1.keyBy = 'value. ')) });
    expect(built).toMatchObject({
      kind: 'failed',
      issues: [{ file: 'pipeline.json', path: 'streams.s_1.keyBy' }],
    });
  });

  it('a streams import without the word type is no obstacle', async () => {
    const code = await load({
      files: { 'nodes/busy.ts': `${BUSY.replace('import type', 'import')}import './streams';\n` },
    });
    expect(code.nodes.n_busy?.kind).toBe('computation');
  });
});
