/** "Turn into code": whatever form an operator has, its code has no issue and does what the form did. */
import {
  builtInTypes,
  compilePlan,
  type Node,
  type PipelineFolder,
  readFolder,
  type Settings,
} from '@millrace/graph';
import type { Computation } from '@millrace/sdk';
import { type Harness, harness } from '@millrace/sdk/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Editable, types } from '../test/fixture.ts';
import { buildBundle } from './build-bundle.ts';
import { checkFolder } from './check-folder.ts';
import { operatorCode } from './layout/index.ts';
import type { PipelineCode } from './pipeline-code.ts';

interface Form {
  readonly type: string;
  readonly config: Settings;
  /** It takes the changes of a table. */
  readonly ofChanges?: true;
  /** It looks up in rows of a table. */
  readonly ofTable?: true;
}

const every = {
  n: { type: 'count' },
  total: { type: 'sum', of: 'value.ms' },
  least: { type: 'min', of: 'value.ms' },
  most: { type: 'max', of: 'value.ms' },
  mean: { type: 'avg', of: '/* the delay */ value.ms / 2' },
};
const figures = {
  names: { type: 'distinct', of: 'value.name' },
  about: { type: 'approxDistinct', of: 'value.name + value.ms' },
  half: { type: 'quantiles', of: 'value.ms', at: [0.5, 1] },
  first: { type: 'topK', of: '{ name: value.name }', by: 'value.ms', k: 2, order: 'smallest', ties: 'keep' },
  last: { type: 'topK', of: 'value.name', by: 'value.ms // by delay', k: 1 },
  all: { type: 'collect', of: 'value.name' },
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
  { type: 'operator/windowJoin', config: { window: { type: 'tumbling', size: '10ms' } } },
  {
    type: 'operator/windowJoin',
    config: {
      window: { type: 'hopping', size: '10ms', slide: '5ms', offset: '1ms' },
      kind: 'full',
      join: '[left?.ms, right?.name] // may be null',
      allowedLateness: '4ms',
    },
  },
  {
    type: 'operator/windowJoin',
    config: { window: { type: 'session', gap: '7ms' }, kind: 'left', allowedLateness: '4ms' },
  },
  {
    type: 'operator/windowJoin',
    config: { window: { type: 'calendar', unit: 'week', zone: 'Asia/Tokyo' }, join: 'left.ms - right.ms' },
  },
  { type: 'operator/windowJoin', config: { window: { type: 'global' }, kind: 'full' } },
  { type: 'operator/sortByTime', config: {} },
  { type: 'operator/sortByTime', config: { by: 'value.ms' } },
  { type: 'operator/reduceByKey', config: { reduce: 'a.ms > b.ms ? a : b', every: '10ms' } },
  {
    type: 'operator/reduceByWindow',
    config: {
      reduce: '{ name: a.name, ms: a.ms + b.ms }',
      inverse: '{ name: a.name, ms: a.ms - b.ms }',
      size: '20ms',
      slide: '5ms',
      allowedLateness: '1ms',
    },
  },
  { type: 'operator/save', config: { every: '10ms', allowedLateness: '2ms' } },
  { type: 'operator/runningReduce', config: { reduce: '{ ...b, ms: a.ms + b.ms }' } },
  {
    type: 'operator/track',
    config: { init: '{ n: 1 }', update: 'value.ms > 40 ? null : { n: state.n + 1 }', timeout: '9ms' },
  },
  { type: 'operator/groupBy', config: { expression: 'value.ms' } },
  { type: 'operator/forEach', config: { expression: 'ctx.count(value.name, value.ms)' } },
  { type: 'operator/table', config: {} },
  { type: 'operator/table', config: { deletes: 'value.ms === 0' } },
  { type: 'operator/tableJoin', config: {}, ofChanges: true },
  {
    type: 'operator/tableJoin',
    config: { kind: 'left', join: 'left.ms + (right?.ms ?? 0)' },
    ofChanges: true,
  },
  { type: 'operator/lookup', config: {}, ofTable: true },
  { type: 'operator/lookup', config: { kind: 'left', join: '[left.name, right?.ms]' }, ofTable: true },
  {
    type: 'operator/pattern',
    config: { steps: [{ name: 'any', where: 'value.ms >= 0' }], within: '10ms' },
  },
  {
    type: 'operator/pattern',
    config: {
      steps: [
        { name: 'low', where: 'value.ms < 40', oneOrMore: true },
        { name: 'high', where: 'value.ms > matched.low[0].ms', after: 'next' },
      ],
      within: '40ms',
      skip: 'toLast',
      skipTo: 'low',
      select: '{ n: matched.low.length, to: matched.high[0].ms }',
    },
  },
  aggregate({ type: 'tumbling', size: '10ms' }),
  aggregate({ type: 'calendar', unit: 'day', zone: 'Europe/Berlin', offset: '-6h' }),
  aggregate(
    { type: 'tumbling', size: '10ms' },
    {
      trigger: { early: { type: 'records', every: 1 }, late: '1s', onTime: 'always' },
      allowedLateness: '5ms',
      accumulation: 'accumulating-and-retracting',
    },
  ),
  {
    type: 'operator/aggregate',
    config: {
      window: { type: 'global' },
      trigger: { early: { type: 'any', of: ['1m', { type: 'records', every: 2 }] } },
      aggregates: figures,
      accumulation: 'discarding',
    },
  },
  {
    type: 'operator/aggregate',
    config: {
      window: { type: 'hopping', size: '20ms', slide: '10ms' },
      aggregates: { n: { type: 'count' }, all: { type: 'collect', of: 'value.ms' } },
      retractions: true,
    },
  },
  aggregate({ type: 'tumbling', size: '10ms', offset: '3ms' }, { allowedLateness: '5ms' }),
  aggregate({ type: 'hopping', size: '20ms', slide: '5ms', offset: '1ms' }),
  aggregate({ type: 'session', gap: '7ms' }, { allowedLateness: '2ms' }),
];

function portsOf({ type }: Form): readonly string[] {
  return builtInTypes.find((spec) => spec.type === type)?.inputs as readonly string[];
}

const ROW = '{ name: string; ms: number }';
const TYPES = { n_rows: ROW, n_changes: `{ before: ${ROW} | null; after: ${ROW} | null }` };
const nodeOf = (form: Form): Pick<Node, 'id' | 'type'> => ({
  id: `n_${FORMS.indexOf(form)}`,
  type: form.type,
});

interface Whole {
  /** Nothing is known of what comes in. */
  readonly isUntyped?: boolean;
  readonly asCode?: boolean;
}

/** All forms in one pipeline, each fed by an injector and read by a sink: they are checked and built together. */
function folder({ isUntyped = false, asCode = false }: Whole = {}): PipelineFolder {
  const nodes: Editable = { n_out: { type: 'sink/discard', name: 'out' } };
  const streams: Editable = {};
  const files = new Map<string, string>();
  const table = { path: 'x', format: 'jsonl', ...(isUntyped ? {} : { type: ROW }) };
  nodes.n_table = { type: 'injector/file-table', name: 'table', config: table };
  for (const [id, type] of Object.entries(TYPES)) {
    const config = { path: 'x', format: 'jsonl', ...(isUntyped ? {} : { type }) };
    nodes[id] = { type: 'injector/file', name: id, config };
  }
  for (const [i, form] of FORMS.entries()) {
    const { id, type } = nodeOf(form);
    const code = `nodes/op${i}.ts`;
    nodes[id] = { name: id, ...(asCode ? { type: 'code', code } : { type, config: form.config }) };
    if (asCode) files.set(code, operatorCode({ id, type }, form.config, { isUntyped }) ?? '');
    for (const port of portsOf(form))
      streams[`s_${i}${port}`] = { from: [sourceOf(form, port), 'out'], to: [id, port] };
    streams[`s_${i}`] = { from: [id, 'out'], to: ['n_out', 'in'] };
  }
  files.set('pipeline.json', JSON.stringify({ format: 1, name: 'x', nodes, streams }, null, 2));
  return readFolder(files);
}

function sourceOf({ ofChanges, ofTable }: Form, port: string): string {
  if (ofTable && port === 'right') return 'n_table';
  return ofChanges ? 'n_changes' : 'n_rows';
}

const check = (whole: Whole): ReturnType<typeof checkFolder> =>
  checkFolder(folder(whole), types, { inProcess: true });

async function built(whole: Whole): Promise<PipelineCode> {
  const given = folder(whole);
  const bundle = await buildBundle(given, compilePlan(given.pipeline, types, {}), { inProcess: true });
  if (bundle.kind !== 'built') throw new Error(JSON.stringify(bundle.issues));
  const url = `data:text/javascript;base64,${Buffer.from(bundle.code).toString('base64')}`;
  return ((await import(/* @vite-ignore */ url)) as { default: PipelineCode }).default;
}

const EVER = {
  start: Number.MIN_SAFE_INTEGER,
  end: Number.MAX_SAFE_INTEGER,
  index: 0,
  timing: 'on-time',
  last: true,
} as const;

/** Windows open, close and merge; some of it comes late, and too late. */
function played(form: Form, { nodes }: PipelineCode): ReturnType<Harness<object, object>['trace']> {
  const run = harness(nodes[nodeOf(form).id] as Computation<Record<string, unknown>, object>);
  const record = (name: string, ms: number, at: number) => {
    const value = form.ofChanges ? { before: null, after: { name, ms } } : { name, ms };
    for (const stream of portsOf(form))
      run.record({ stream, key: name, value, timestamp: at, ...(form.ofTable ? { pane: EVER } : {}) });
  };
  for (const [i, at] of [1, 4, 12, 9, 25, 31].entries()) record('ab'[i % 2] ?? '', 11 * i, at);
  run.watermark(28);
  record('a', 30, 27);
  record('b', 5, 2);
  record('a', 8, 40);
  return run.end().trace();
}

describe('turning an operator into code', () => {
  let forms: PipelineCode;
  let codes: PipelineCode;
  beforeAll(async () => {
    forms = await built({});
    codes = await built({ asCode: true });
  });

  it.each(FORMS)('keeps what $type does: $config', (form) => {
    const trace = played(form, forms);
    expect(trace.length).toBeGreaterThan(3);
    expect(played(form, codes)).toEqual(trace);
  });

  it('gives code as a person would write it', () => {
    for (const form of FORMS) expect(operatorCode(nodeOf(form), form.config)).not.toMatch(/prelude|Loose/);
  });

  it('is checked for every operator there is', () => {
    const operators = builtInTypes.map(({ type }) => type).filter((type) => type.startsWith('operator/'));
    expect([...new Set(FORMS.map(({ type }) => type))].sort()).toEqual(operators.sort());
  });

  it('has no issue, nor has the form', async () => {
    expect(await check({})).toEqual([]);
    expect(await check({ asCode: true })).toEqual([]);
  });

  it('has none either where nothing is known of the values that come in', async () => {
    const issues = await check({ asCode: true, isUntyped: true });
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});
