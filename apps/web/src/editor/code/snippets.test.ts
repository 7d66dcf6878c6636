/** Every snippet is code without an issue, and the computations do what their titles say. */
import { buildBundle, checkFolder, type PipelineCode } from '@millrace/compiler';
import { connectorSpecs } from '@millrace/connectors/specs';
import { compilePlan, nodeTypes, readFolder } from '@millrace/graph';
import type { Computation } from '@millrace/sdk';
import { type Harness, harness } from '@millrace/sdk/testing';
import { describe, expect, it } from 'vitest';
import { COMPUTATIONS, filledIn, PIECES } from './snippets.ts';

const types = nodeTypes(connectorSpecs);

function folder(text: string, inputs: readonly string[]) {
  const injector = {
    type: 'injector/generator',
    config: { value: '{ n }', type: '{ n: number }', rate: 1 },
  };
  const graph = {
    format: 1,
    name: 'x',
    nodes: {
      ...Object.fromEntries(inputs.map((input) => [`n_${input}`, { ...injector, name: input }])),
      n_code: { type: 'code', name: 'code', code: 'nodes/code.ts' },
    },
    streams: Object.fromEntries(
      inputs.map((input) => [`s_${input}`, { from: [`n_${input}`, 'out'], to: ['n_code', input] }]),
    ),
  };
  return readFolder(
    new Map([
      ['pipeline.json', JSON.stringify(graph)],
      ['nodes/code.ts', text],
    ]),
  );
}

async function loaded(
  id: string,
  ...inputs: readonly string[]
): Promise<Harness<Record<string, unknown>, Record<string, unknown>>> {
  const snippet = COMPUTATIONS.find((one) => one.id === id);
  const given = folder(filledIn(snippet?.text ?? ''), inputs);
  expect(await checkFolder(given, types, { inProcess: true })).toEqual([]);
  const built = await buildBundle(given, compilePlan(given.pipeline, types, {}), { inProcess: true });
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  const url = `data:text/javascript;base64,${Buffer.from(built.code).toString('base64')}`;
  const code = ((await import(/* @vite-ignore */ url)) as { default: PipelineCode }).default;
  return harness(code.nodes.n_code as Computation<Record<string, unknown>, Record<string, unknown>>);
}

const MINUTE = 60_000;

describe('snippets', () => {
  it('count per key', async () => {
    const run = await loaded('count-per-key', 'in');
    run.record('in', 'a', {}, 1).record('in', 'b', {}, 2).record('in', 'a', {}, 3);
    expect(run.outputs('counts').map(({ value }) => value)).toEqual([
      { key: 'a', count: 1 },
      { key: 'b', count: 1 },
      { key: 'a', count: 2 },
    ]);
  });

  it('sessions end after their pause, not before', async () => {
    const run = await loaded('session', 'in');
    run
      .record('in', 'a', {}, 0)
      .record('in', 'a', {}, 20 * MINUTE)
      .watermark(40 * MINUTE);
    expect(run.outputs('sessions')).toEqual([]);
    run
      .watermark(50 * MINUTE)
      .record('in', 'a', {}, 90 * MINUTE)
      .end();
    expect(run.outputs('sessions').map(({ value }) => value)).toEqual([
      { key: 'a', from: 0, to: 20 * MINUTE, records: 2 },
      { key: 'a', from: 90 * MINUTE, to: 90 * MINUTE, records: 1 },
    ]);
  });

  it('deduplicate lets one through, and another after the time it remembers', async () => {
    const run = await loaded('deduplicate', 'in');
    run
      .record('in', 'a', { n: 1 }, 0)
      .record('in', 'a', { n: 2 }, 5)
      .watermark(25 * 60 * MINUTE);
    run.record('in', 'a', { n: 3 }, 26 * 60 * MINUTE);
    expect(run.outputs('out').map(({ value }) => value)).toEqual([{ n: 1 }, { n: 3 }]);
  });

  it('join waits for both sides', async () => {
    const run = await loaded('join', 'left', 'right');
    run.record('left', 'a', { n: 1 }, 0).record('right', 'b', { n: 2 }, 1).record('right', 'a', { n: 3 }, 2);
    expect(run.outputs('joined').map(({ value }) => value)).toEqual([
      { key: 'a', left: { n: 1 }, right: { n: 3 } },
    ]);
  });

  it('alert on silence', async () => {
    const run = await loaded('silence', 'in');
    run
      .wall(1_000)
      .record('in', 'a', {}, 0)
      .wall(2 * MINUTE)
      .record('in', 'a', {}, 1)
      .wall(6 * MINUTE);
    expect(run.outputs('alerts')).toEqual([]);
    run.wall(8 * MINUTE);
    expect(run.outputs('alerts').map(({ value }) => value)).toEqual([{ key: 'a', lastSeen: 2 * MINUTE }]);
  });

  it('all pieces fit into a handler', async () => {
    const body = PIECES.map(({ text }) => `{\n${filledIn(text)}\n}`).join('\n');
    const text = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';
const value = { n: 1 };
export default computation<Inputs, { out: { n: number } }, { count: number }, { maps: { seen: number }; timers: string }>({
  processRecord(record, ctx) {
${body}
  },
});
`;
    expect(await checkFolder(folder(text, ['in']), types, { inProcess: true })).toEqual([]);
  });
});
