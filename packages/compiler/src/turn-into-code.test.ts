/** "Turn into code": whatever form an operator has, its code has no issue and does what the form did. */
import { builtInTypes, compilePlan, readFolder, type Settings } from '@millrace/graph';
import type { Computation } from '@millrace/sdk';
import { type Harness, harness } from '@millrace/sdk/testing';
import { describe, expect, it } from 'vitest';
import { type Editable, types } from '../test/fixture.ts';
import { buildBundle } from './build-bundle.ts';
import { checkFolder } from './check-folder.ts';
import { operatorCode } from './layout/index.ts';
import type { PipelineCode } from './pipeline-code.ts';

interface Form {
  readonly type: string;
  readonly config: Settings;
}

const every = {
  n: { type: 'count' },
  total: { type: 'sum', of: 'value.ms' },
  least: { type: 'min', of: 'value.ms' },
  most: { type: 'max', of: 'value.ms' },
  mean: { type: 'avg', of: '/* the delay */ value.ms / 2' },
};
const aggregate = (window: object, more = {}): Form => ({
  type: 'operator/aggregate',
  config: { window, aggregates: every, ...more },
});
const FORMS: readonly Form[] = [
  { type: 'operator/map', config: { expression: '{ ms: value.ms * 2, at: record.timestamp } // both' } },
  { type: 'operator/map', config: { expression: 'value.name.toUpperCase()' } },
  { type: 'operator/filter', config: { expression: 'value.ms > 10' } },
  { type: 'operator/filter', config: { expression: "(value.name, value.name !== 'a')" } },
  { type: 'operator/flatMap', config: { expression: '[value.ms, value.ms + 1]' } },
  {
    type: 'operator/flatMap',
    config: { expression: 'value.ms > 20\n  ? [{ big: value.ms }]\n  : []' },
  },
  { type: 'operator/union', config: {} },
  { type: 'operator/deduplicate', config: { within: '5ms' } },
  { type: 'operator/deduplicate', config: { by: 'value.name', within: '10ms' } },
  { type: 'operator/intervalJoin', config: { lower: '-20ms', upper: '9ms' } },
  {
    type: 'operator/intervalJoin',
    config: { lower: '0s', upper: '30ms', join: '{ sum: left.ms + right.ms }' },
  },
  aggregate({ type: 'tumbling', size: '10ms' }),
  aggregate({ type: 'tumbling', size: '10ms', offset: '3ms' }, { allowedLateness: '5ms' }),
  aggregate({ type: 'hopping', size: '20ms', slide: '5ms', offset: '1ms' }),
  aggregate({ type: 'session', gap: '7ms' }, { allowedLateness: '2ms' }),
];

function portsOf({ type }: Form): readonly string[] {
  return builtInTypes.find((spec) => spec.type === type)?.inputs as readonly string[];
}

function pipeline(form: Form, inputType: string | undefined, code: boolean): Editable {
  const { type, config } = form;
  const node = code ? { type: 'code', code: 'nodes/op.ts' } : { type, config };
  return {
    format: 1,
    name: 'x',
    nodes: {
      n_in: {
        type: 'injector/file',
        name: 'in',
        config: { path: 'x', format: 'jsonl', ...(inputType && { type: inputType }) },
      },
      n_op: { name: 'op', ...node },
      n_out: { type: 'sink/discard', name: 'out' },
    },
    streams: {
      ...Object.fromEntries(
        portsOf(form).map((port) => [`s_${port}`, { from: ['n_in', 'out'], to: ['n_op', port] }]),
      ),
      s_2: { from: ['n_op', 'out'], to: ['n_out', 'in'] },
    },
  };
}

const TYPE = '{ name: string; ms: number }';
const folder = (form: Form, inputType: string | undefined, text?: string) =>
  readFolder(
    new Map([
      ['pipeline.json', JSON.stringify(pipeline(form, inputType, text !== undefined))],
      ...(text === undefined ? [] : ([['nodes/op.ts', text]] as const)),
    ]),
  );

async function load(form: Form, text?: string): Promise<Computation> {
  const given = folder(form, TYPE, text);
  const built = await buildBundle(given, compilePlan(given.pipeline, types, {}), { inProcess: true });
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  const url = `data:text/javascript;base64,${Buffer.from(built.code).toString('base64')}`;
  const code = ((await import(/* @vite-ignore */ url)) as { default: PipelineCode }).default;
  return code.nodes.n_op as Computation;
}

/** Windows open, close and merge; some of it comes late, and too late. */
function played(form: Form, computation: Computation): ReturnType<Harness<object, object>['trace']> {
  const run = harness(computation as Computation<Record<string, unknown>, object>);
  const record = (name: string, ms: number, at: number) => {
    for (const port of portsOf(form)) run.record(port, name, { name, ms }, at);
  };
  for (const [i, at] of [1, 4, 12, 9, 25, 31].entries()) record('ab'[i % 2] ?? '', 11 * i, at);
  run.watermark(28);
  record('a', 30, 27);
  record('b', 5, 2);
  record('a', 8, 40);
  return run.end().trace();
}

describe('turning an operator into code', () => {
  it.each(FORMS)('keeps what $type does, and has no issue: $config', async (form) => {
    const text = operatorCode({ id: 'n_op', type: form.type }, form.config) ?? '';
    expect(text).not.toMatch(/prelude|Loose/);
    expect(await checkFolder(folder(form, TYPE), types, { inProcess: true })).toEqual([]);
    expect(await checkFolder(folder(form, TYPE, text), types, { inProcess: true })).toEqual([]);
    const trace = played(form, await load(form));
    expect(trace.length).toBeGreaterThan(3);
    expect(played(form, await load(form, text))).toEqual(trace);
  });

  it('is checked for every operator there is', () => {
    const operators = builtInTypes.map(({ type }) => type).filter((type) => type.startsWith('operator/'));
    expect([...new Set(FORMS.map(({ type }) => type))].sort()).toEqual(operators.sort());
  });

  it.each(FORMS)('also where nothing is known of the values that come in: $type $config', async (form) => {
    const text = operatorCode({ id: 'n_op', type: form.type }, form.config, { isUntyped: true });
    const issues = await checkFolder(folder(form, undefined, text), types, { inProcess: true });
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});
