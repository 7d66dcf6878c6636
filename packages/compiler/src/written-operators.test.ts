/** Operators written in code are judged as their forms are, wherever what is written is constant. */
import type { Issue, Settings } from '@millrace/graph';
import { beforeAll, describe, expect, it } from 'vitest';
import { check, type Editable, folderOf, pointedAt } from '../test/fixture.ts';
import { operatorCode } from './layout/index.ts';

const ROW = '{ name: string; ms: number }';
const rows = (type: string, more: object = {}): object => ({
  type,
  config: { path: 'x', format: 'jsonl', type: ROW, ...more },
});

interface Piece {
  readonly node: Editable;
  readonly inputs?: readonly string[];
  readonly left?: object;
  readonly right?: object;
  readonly files?: Readonly<Record<string, string>>;
}

/** One node, fed by files, read by a sink. */
function partsOf({ node, inputs = ['in'], left, right, files = {} }: Piece): Editable {
  const nodes: Editable = {
    n_left: { name: 'rows', ...(left ?? rows('injector/file')) },
    n_right: { name: 'other', ...(right ?? rows('injector/file')) },
    n_op: { name: 'op', ...node },
    n_out: { type: 'sink/discard', name: 'out' },
  };
  const streams: Editable = { s_out: { from: ['n_op', 'out'], to: ['n_out', 'in'] } };
  for (const port of inputs)
    streams[`s_${port}`] = { from: [port === 'right' ? 'n_right' : 'n_left', 'out'], to: ['n_op', port] };
  if (!inputs.includes('right')) streams.s_rest = { from: ['n_right', 'out'], to: ['n_out', 'in'] };
  return { pipeline: { format: 1, name: 'x', nodes, streams }, files };
}

async function errorsOf(piece: Piece): Promise<readonly Issue[]> {
  const issues = await check(partsOf(piece));
  return issues.filter(({ severity }) => severity === 'error');
}

const inCode = (text: string, inputs?: readonly string[], files = {}): Piece => ({
  node: { type: 'code', code: 'nodes/op.ts' },
  ...(inputs === undefined ? {} : { inputs }),
  files: { 'nodes/op.ts': text, ...files },
});

/** What the issues of a piece of code point at, and say. */
async function faultsOf(piece: Piece): Promise<string[]> {
  const folder = folderOf(partsOf(piece));
  return (await errorsOf(piece)).map(
    (issue) => `${issue.file}:${issue.line} ${pointedAt(folder, issue)?.slice(0, 20)} | ${issue.message}`,
  );
}

const aggregate = (window: object, more: object = {}, n: object = { type: 'count' }): Settings => ({
  window,
  aggregates: { n },
  ...more,
});
const tumbling = { type: 'tumbling', size: '1m' };
const step = { name: 'a', where: 'value.ms > 0' };
const reduce = '{ name: a.name, ms: a.ms + b.ms }';
const most = '{ name: a.name, ms: Math.max(a.ms, b.ms) }';
const both = ['left', 'right'];

const BAD: readonly (readonly [operator: string, config: Settings, pointsAt: RegExp])[] = [
  ['aggregate', aggregate({ type: 'tumbling', size: '0s' }), /^'0s'/],
  ['aggregate', aggregate({ type: 'hopping', size: '1m', slide: '0s' }), /^'0s'/],
  ['aggregate', aggregate({ type: 'hopping', size: '0ms', slide: '1s' }), /^'0ms'/],
  ['aggregate', aggregate({ type: 'hopping', size: '-1m', slide: '1s' }), /^'-1m'/],
  ['aggregate', aggregate({ type: 'session', gap: '0s' }), /^'0s'/],
  ['aggregate', aggregate({ type: 'session', gap: '1 hour' }), /^'1 hour'/],
  ['aggregate', aggregate({ type: 'calendar', unit: 'hour' }), /^'hour'/],
  ['aggregate', aggregate({ type: 'calendar', unit: 'day', zone: 'Mars/Base' }), /^'?"?Mars/],
  ['aggregate', aggregate({ type: 'calendar', unit: 'day', offset: '400d' }), /^'400d'/],
  ['aggregate', aggregate(tumbling, { allowedLateness: '-1s' }), /^'-1s'/],
  ['aggregate', aggregate(tumbling, { accumulation: 'all' }), /^accumulation/],
  ['aggregate', aggregate(tumbling, { trigger: { late: '1s' } }), /^{ late/],
  ['aggregate', aggregate({ type: 'global' }, { trigger: { late: '1s' }, allowedLateness: '1m' }), /^{ late/],
  ['aggregate', aggregate(tumbling, { trigger: { early: '0s' } }), /^{ early/],
  ['aggregate', aggregate(tumbling, { trigger: { early: { type: 'all', of: [] } } }), /^{ early/],
  ['aggregate', aggregate(tumbling, { trigger: { early: { type: 'records', every: 0 } } }), /^{ early/],
  [
    'aggregate',
    aggregate(tumbling, { trigger: { onTime: 'always' }, accumulation: 'discarding' }),
    /^{ onTime/,
  ],
  ['aggregate', aggregate({ type: 'session', gap: '1s' }, { retractions: true }), /^sessions|^true/],
  [
    'aggregate',
    aggregate(tumbling, { retractions: true, accumulation: 'discarding' }),
    /^'discarding'|^true/,
  ],
  [
    'aggregate',
    aggregate(tumbling, { retractions: true }, { type: 'max', of: 'value.ms' }),
    /^{$|^true|^aggregates/,
  ],
  [
    'aggregate',
    aggregate({ type: 'hopping', size: '1h', slide: '1ms' }, { trigger: { early: '1s' } }),
    /^hopping|^{ early/,
  ],
  ['aggregate', aggregate(tumbling, {}, { type: 'quantiles', of: 'value.ms', at: [50] }), /^\[50\]/],
  ['aggregate', aggregate(tumbling, {}, { type: 'topK', of: 'value.ms', by: 'value.ms', k: 0 }), /^0/],
  ['windowJoin', { window: { type: 'tumbling', size: '0s' } }, /^'0s'/],
  ['windowJoin', { window: { type: 'hopping', size: '1d', slide: '1ms' } }, /^hopping/],
  ['windowJoin', { window: { type: 'session', gap: '0s' } }, /^'0s'/],
  ['windowJoin', { window: { type: 'calendar', unit: 'day', zone: 'X/Y' } }, /^'?"?X/],
  ['windowJoin', { window: tumbling, allowedLateness: '-1s' }, /^'-1s'/],
  ['windowJoin', { window: tumbling, kind: 'outer' }, /^kind/],
  ['tableJoin', { kind: 'outer' }, /./],
  ['lookup', { kind: 'full' }, /./],
  ['intervalJoin', { lower: '5s', upper: '1s' }, /^'5s'/],
  ['intervalJoin', { lower: '1x', upper: '1s' }, /^'1x'/],
  ['deduplicate', { within: '0s' }, /^'0s'/],
  ['reduceByKey', { reduce, every: '0s' }, /^'0s'/],
  ['reduceByKey', { reduce, every: '1s', allowedLateness: '-1s' }, /^'-1s'/],
  ['reduceByWindow', { reduce, size: '0s', slide: '1s' }, /^'0s'/],
  ['reduceByWindow', { reduce, size: '1s', slide: '2s' }, /^'[12]s'/],
  ['reduceByWindow', { reduce: most, inverse: reduce, size: '2s', slide: '1s' }, /^\(/],
  ['save', { every: '0s' }, /^'0s'/],
  ['track', { init: '1', update: 'state', timeout: '0s' }, /^'0s'/],
  ['pattern', { steps: [], within: '1m' }, /^\[/],
  ['pattern', { steps: [step, step], within: '1m' }, /^\[/],
  ['pattern', { steps: [step], within: '0s' }, /^'0s'/],
  ['pattern', { steps: [step], within: '1m', skip: 'toLast', skipTo: 'b' }, /^{ toLast|^toLast/],
];

/** All of them in one pipeline, so that they are checked together. */
function partsOfBad(asCode: boolean): Editable {
  const nodes: Editable = {
    n_rows: { name: 'rows', ...rows('injector/file') },
    n_table: { name: 'table', ...rows('injector/file-table') },
    n_out: { type: 'sink/discard', name: 'out' },
  };
  const streams: Editable = { s_table: { from: ['n_table', 'out'], to: ['n_out', 'in'] } };
  const files: Record<string, string> = {};
  for (const [i, [operator, config]] of BAD.entries()) {
    const [id, type] = [`n_${i}`, `operator/${operator}`];
    const code = `nodes/op${i}.ts`;
    nodes[id] = { name: id, ...(asCode ? { type: 'code', code } : { type, config }) };
    if (asCode) files[code] = operatorCode({ id, type }, config) ?? '';
    for (const port of /Join|lookup/.test(operator) ? both : ['in']) {
      const from = operator === 'lookup' && port === 'right' ? 'n_table' : 'n_rows';
      streams[`s_${i}${port}`] = { from: [from, 'out'], to: [id, port] };
    }
    streams[`s_${i}`] = { from: [id, 'out'], to: ['n_out', 'in'] };
  }
  return { pipeline: { format: 1, name: 'x', nodes, streams }, files };
}

describe('settings that could only surprise at run time', () => {
  let forms: readonly Issue[];
  let codes: readonly Issue[];
  beforeAll(async () => {
    forms = await check(partsOfBad(false));
    codes = await check(partsOfBad(true));
  });

  it.each(BAD.map((each, i) => [...each, i] as const))(
    'are issues of %s %j in code as in the form',
    (_operator, _config, pointsAt, i) => {
      const of = (issues: readonly Issue[]): readonly Issue[] =>
        issues.filter(({ node, severity }) => node === `n_${i}` && severity === 'error');
      expect(of(forms)).toContainEqual(expect.objectContaining({ file: 'pipeline.json' }));
      expect(of(codes)).toContainEqual(expect.objectContaining({ file: `nodes/op${i}.ts` }));
      expect(pointedAt(folderOf(partsOfBad(true)), of(codes)[0])).toMatch(pointsAt);
    },
  );

  const HEAD = `import { aggregate as sum, count, hopping, input, sessions, tumbling } from '@millrace/sdk';
import * as sdk from '@millrace/sdk';
import { GAP, every } from '#lib/settings';
import type { Inputs } from './streams';
`;
  const LIB = {
    'lib/settings.ts': "export const GAP = '0s';\nexport const every = { minute: 60 * 1000 - 60_000 };\n",
  };
  const whole = (text: string): Piece => inCode(HEAD + text, ['in'], LIB);

  it('are found in constants, imports, sums and templates, each at its place', async () => {
    const found = await faultsOf(
      whole(`const SIZE = \`\${'0'}s\`;
const options = { window: tumbling(SIZE), aggregates: { n: count() } } as const;
export const others = [sessions(GAP), sdk.hopping(every.minute, -5), () => tumbling('1q')];
export default sum(input<Inputs['in']>(), { ...options, allowedLateness: -(2 + 3) });
`),
    );
    expect(found).toEqual([
      expect.stringMatching(/op\.ts:5 `\$\{'0'\}s`.* \| The size of a tumbling window is "0s"/),
      expect.stringMatching(/op\.ts:7 sessions\(GAP.* \| The gap of a session window is "0s"/),
      expect.stringMatching(/op\.ts:7 sdk\.hopping.* \| The size of a hopping window is 0/),
      expect.stringMatching(/op\.ts:7 -5\).* \| The slide of a hopping window is -5/),
      expect.stringMatching(/op\.ts:7 '1q'.* \| The size of a tumbling window is "1q"/),
      expect.stringMatching(/op\.ts:8 -\(2 \+ 3\).* \| allowedLateness is -5/),
    ]);
  });

  it('are looked for in what is constant only: what is not may be right', async () => {
    const found = await faultsOf(
      whole(`declare const given: { size: string; early: string; trigger: object; more: { retractions: boolean } };
let size = '0s';
size = '1s';
function make(by: string, options: object) {
  return sum(input<Inputs['in']>(), { window: hopping(by, size), aggregates: { n: count() }, ...options });
}
export const odd = make('1s', given.more);
const tumbling2 = { tumbling: (text: string) => text };
tumbling2.tumbling('0s');
export default sum(input<Inputs['in']>(), {
  window: tumbling(given.size),
  aggregates: { n: count() },
  allowedLateness: given.size,
  trigger: { early: given.early, late: { type: 'records', every: 2 } },
  retractions: given.more.retractions,
});
void [every, GAP, sdk, sessions];
`),
    );
    expect(found).toEqual([]);
  });

  it('hostile code cannot make the search long', async () => {
    const doubled = Array.from({ length: 60 }, (_, i) => `const a${i + 1} = [a${i}, a${i}];`);
    const texts = Array.from({ length: 60 }, (_, i) => `const t${i + 1}: string = t${i} + t${i};`);
    const many = Array.from({ length: 12 }, () => `{ type: 'records', every: given }, given as never`);
    const text = `declare const given: number;\nconst a0 = 1;\n${doubled.join('\n')}\nconst t0 = '1234567890';\n${texts.join('\n')}
const self: string = self + 1;
export const odd = [tumbling(t60), tumbling(self), tumbling(a60 as never)];
export default sum(input<Inputs['in']>(), { window: tumbling(given), aggregates: { n: count() }, trigger: { early: { type: 'any', of: [${many.join()}] } } });
void [every, GAP, sdk, sessions, hopping];
`;
    const found = await faultsOf(whole(text));
    expect(found.filter((each) => !/used before|implicitly/.test(each))).toEqual([]);
  });
});

describe('rules about what is in front of an operator and behind it', () => {
  const LOOKUP = operatorCode({ id: 'n_op', type: 'operator/lookup' }, {}) ?? '';
  const look = { node: { type: 'operator/lookup', config: {} }, inputs: both };

  it('N6: a lookup in code needs a table as its form does', async () => {
    const table = rows('injector/file-table');
    expect(await errorsOf({ ...look, right: table })).toEqual([]);
    expect(await errorsOf({ ...inCode(LOOKUP, both), right: table })).toEqual([]);
    const [form] = await errorsOf(look);
    expect(form).toMatchObject({ code: 'no-table', node: 'n_op', file: 'pipeline.json' });
    const piece = inCode(LOOKUP, both);
    const [code, ...rest] = await errorsOf(piece);
    expect(rest).toEqual([]);
    expect(code).toMatchObject({
      ...{ code: 'no-table', node: 'n_op', message: form?.message },
      ...{ file: 'nodes/op.ts', line: 4, column: 16 },
    });
    expect(pointedAt(folderOf(partsOf(piece)), code)).toMatch(/^lookup\(/);
  });

  it('N6: also where it is not written in the node itself', async () => {
    const files = {
      'lib/look.ts': `import { input, lookup } from '@millrace/sdk';
type Row = ${ROW};
export const look = lookup(input<Row>(), input<Row>());
`,
    };
    const [issue] = await errorsOf(
      inCode("import { look } from '#lib/look';\n\nexport { look as default };\n", both, files),
    );
    expect(issue).toMatchObject({ code: 'no-table', node: 'n_op', file: 'nodes/op.ts' });
  });

  const endless = { type: 'injector/interval', config: { every: '1s' } };

  it('N3: a global window in code never fires on a stream without end', async () => {
    const global = { window: { type: 'global' }, aggregates: { n: { type: 'count' } } };
    const written = (config: Settings): Piece => ({
      ...inCode(operatorCode({ id: 'n_op', type: 'operator/aggregate' }, config) ?? ''),
      left: endless,
    });
    const [issue] = await errorsOf(written(global));
    expect(issue).toMatchObject({ code: 'never-fires', node: 'n_op', file: 'nodes/op.ts', line: 4 });
    expect(await errorsOf({ ...written(global), left: rows('injector/file') })).toEqual([]);
    expect(await errorsOf(written({ ...global, trigger: { early: '1m' } }))).toEqual([]);
    expect(await errorsOf(written({ ...global, window: tumbling }))).toEqual([]);
  });

  it('N6: a form behind an operator in code is told, too', async () => {
    const parts = partsOf({ ...look, right: rows('injector/file-table') });
    const code = operatorCode({ id: 'n_t', type: 'operator/table' }, {}) ?? '';
    parts.pipeline.nodes.n_t = { type: 'code', name: 'latest', code: 'nodes/t.ts' };
    parts.pipeline.streams.s_right = { from: ['n_t', 'out'], to: ['n_op', 'right'] };
    parts.pipeline.streams.s_t = { from: ['n_right', 'out'], to: ['n_t', 'in'] };
    const issues = await check({ ...parts, files: { 'nodes/t.ts': code } });
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([
      expect.objectContaining({
        code: 'no-table',
        node: 'n_op',
        path: 'nodes.n_op.type',
        file: 'pipeline.json',
      }),
    ]);
  });
});
