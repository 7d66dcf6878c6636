import { afterAll, beforeAll, expect, test } from 'vitest';
import { countCode, pipelineJson, sampleFiles } from '../testing/sample-pipeline.ts';
import { startTestCatalog, type TestCatalog } from '../testing/test-catalog.ts';
import { testFolder } from '../testing/test-folder.ts';

const folder = testFolder();
let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await startTestCatalog(folder.path);
});
afterAll(async () => {
  await catalog.close();
  await folder.remove();
});

interface Ran {
  readonly kind: string;
  readonly results: readonly {
    readonly path: string | null;
    readonly issues: readonly { readonly message: string; readonly file: string; readonly line: number }[];
    readonly report: {
      readonly passed: boolean;
      readonly differences: readonly { readonly kind: string; readonly message: string }[];
      readonly steps: readonly { readonly events: readonly unknown[]; readonly keys: readonly unknown[] }[];
    };
  }[];
}

const record = (n: unknown, stream = 'numbers') => ({
  record: { stream, key: 'k', value: { n }, timestamp: 1 },
});
const caseOf = (more: object = {}) => JSON.stringify({ format: 1, steps: [record(1)], expect: {}, ...more });

const make = async (files: Record<string, string>) =>
  (await catalog.ask('POST', '/pipelines', { files }, { status: 201 })).id;
const run = (id: string, body: object = {}, status = 200) =>
  catalog.ask<Ran>('POST', `/pipelines/${id}/draft/cases`, { editor: 'e', ...body }, { status });
const tryOut = async (code: string, text = caseOf(), node = 'n_count') => {
  const id = await make(sampleFiles({}, code));
  const { results } = await run(id, { try: { node, text } });
  return results[0]?.report;
};

test('the recorded cases of a draft run, each against its node, and tell what differs', async () => {
  const id = await make({
    ...sampleFiles(),
    'tests/a-passes.json': caseOf({
      expect: { counts: [{ key: 'k', value: { n: 1 } }] },
      state: { k: { n: 1 } },
    }),
    'tests/b-differs.json': caseOf({ expect: { counts: [{ value: { n: 2 } }] } }),
    'tests/c-stray.json': caseOf({ steps: [record(1, 'letters')] }),
    'tests/d-no-node.json': caseOf({ node: 'n_gone' }),
  });
  const { kind, results } = await run(id);
  expect(kind).toBe('done');
  expect(results.map(({ path, report }) => [path, report.passed])).toEqual([
    ['tests/a-passes.json', true],
    ['tests/b-differs.json', false],
    ['tests/c-stray.json', false],
    ['tests/d-no-node.json', false],
  ]);
  expect(results[1]?.report.differences).toMatchObject([
    { kind: 'unexpected', stream: 'counts', actual: '{"key":"k","value":{"n":1},"timestamp":1}' },
    { kind: 'missing', expected: '{"value":{"n":2}}' },
  ]);
  expect(results[2]?.report.differences[0]?.message).toContain("has no input 'letters'");
  expect(results[3]?.issues[0]?.message).toContain('no computation');
  const only = await run(id, { paths: ['tests/b-differs.json'] });
  expect(only.results.map(({ path }) => path)).toEqual(['tests/b-differs.json']);
});

test('a record is tried on code as it stands, whatever is wrong with the rest of the draft', async () => {
  const json = pipelineJson();
  const broken = { ...json.nodes, n_out: { type: 'sink/none', name: 'out' } };
  const id = await make({ ...sampleFiles({ nodes: broken }) });
  const text = `{"format":1,"steps":[{"record":{"stream":"numbers","key":"k","value":${2n ** 63n},"timestamp":7}}],"expect":{}}`;
  const { results } = await run(id, { try: { node: 'n_count', text } });
  expect(results).toMatchObject([
    {
      path: null,
      report: {
        passed: true,
        steps: [
          {
            events: [{ kind: 'output', stream: 'counts', key: 'k', value: '{"n":1}', timestamp: 7 }],
            keys: [{ key: 'k', after: { state: '{"n":1}' } }],
          },
        ],
      },
    },
  ]);
  const noRecords = caseOf({ steps: [] });
  expect((await run(id, { try: { node: 'n_in', text: noRecords } })).results[0]?.issues).toHaveLength(1);
});

test('code that cannot be built says where', async () => {
  const id = await make(sampleFiles({}, `${countCode}\nconst = 1;\n`));
  const { results } = await run(id, { try: { node: 'n_count', text: caseOf() } });
  expect(results[0]?.issues).toMatchObject([{ file: 'nodes/count.ts', line: 14 }]);
});

test('hostile code is ended and told, and finds no file, network, clock or secret; the next text runs', async () => {
  const handler = (body: string) => countCode.replace('const n =', `${body}\n    const n =`);
  const endless = await tryOut(handler('for (;;);'));
  expect(endless?.differences[0]?.message).toContain('no answer in 2 s');
  const forged = await tryOut(
    handler("(globalThis as any).Array.prototype.map = () => { throw new Error('mine') };"),
  );
  expect(forged?.passed).toBe(false);
  const alone = await tryOut(
    handler(
      'ctx.log.info([typeof (globalThis as any).Deno, typeof (globalThis as any).fetch, typeof (globalThis as any).process, String(ctx.now)].join());',
    ),
  );
  expect(alone?.steps[0]?.events[0]).toMatchObject({ kind: 'log', text: 'undefined,undefined,undefined,0' });
});

test('what comes out is bounded, and printing is told once', async () => {
  const long = await tryOut(
    countCode.replace(
      'ctx.state.set',
      "console.log('seen'); for (let i = 0; i < 1_000; i++) ctx.produce('counts', { n: 'x'.repeat(50_000) as never });\n    ctx.state.set",
    ),
  );
  expect(long).toMatchObject({ passed: true, cut: true });
  expect(JSON.stringify(long).length).toBeLessThan(1_200_000);
  const printing = await tryOut(
    countCode.replace('ctx.state.set', "console.log('seen', { a: 1 }); ctx.state.set"),
  );
  expect(printing?.steps[0]?.events.filter((event) => (event as { kind: string }).kind === 'log')).toEqual([
    { kind: 'log', level: 'info', key: '', text: 'seen {"a":1}' },
  ]);
});

test('what is no case, too long or about no pipeline of the workspace is refused or told', async () => {
  const id = await make(sampleFiles());
  const said = async (text: string) =>
    (await run(id, { try: { node: 'n_count', text } })).results[0]?.report.differences[0]?.message;
  expect(await said('{')).toContain('JSON');
  expect(await said('[]')).toContain('a recorded case is a JSON object');
  expect(await said(caseOf({ steps: [{ jump: 1 }] }))).toContain('unknown step "jump"');
  await run(id, { try: { node: 'n_count', text: 'x'.repeat(300_000) } }, 400);
  await run(id, { editor: '' }, 400);
  await run('p_none', {}, 404);
});
