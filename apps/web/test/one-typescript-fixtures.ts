/** Pipelines with something wrong of every sort, for the comparison of the page's check with the server's. */

export interface CheckedFixture {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  /** One of the codes of what is wrong. */
  readonly code: string | undefined;
}

interface Bent {
  readonly type?: string | undefined;
  readonly timestamp?: string;
  readonly keyBy?: string;
  readonly map?: string;
  readonly aggregate?: string;
  readonly first?: string;
  readonly second?: string;
  readonly lib?: string;
  readonly out?: string;
  /** The second node takes what comes in as its right side, too. */
  readonly right?: true;
}

const FIRST = `import { computation } from '@millrace/sdk';
import { shout } from '#lib/words';
import type { Inputs, Params } from './streams';

export interface Outputs { loud: { name: string; ms: number; tags?: readonly string[] } }
interface State { seen: number }

export default computation<Inputs, Outputs, State, { maps: { last: number }; params: Params; timers: 'silent' }>({
  processRecord(record, ctx) {
    const limit: number = ctx.params.limit;
    ctx.map('last').set(record.value.name, record.timestamp);
    ctx.setTimer('silent', record.timestamp + limit);
    ctx.produce('loud', { name: shout(record.value.name), ms: record.value.ms });
  },
  processTimer(timer, ctx) {
    ctx.log.info(timer.tag, ctx.key);
  },
});
`;
const SECOND = `import { filter, input } from '@millrace/sdk';
import type { Inputs } from './streams';

export default filter(input<Inputs['in']>(), (value) => value.ms > 3 && value.name !== '');
`;
const LIB = 'export const shout = (text: string): string => text.toUpperCase();\n';

/** injector → code → operator map → code → aggregate → sink, with every sort of expression. */
function pipeline(bent: Bent): Readonly<Record<string, string>> {
  const type = 'type' in bent ? bent.type : '{ name: string; ms: number; at: number }';
  const graph = {
    format: 1,
    name: 'Fixture',
    parameters: { limit: { type: 'number', default: 5 } },
    nodes: {
      n_in: {
        type: 'injector/file',
        name: 'in',
        config: {
          path: 'x',
          format: 'jsonl',
          timestamp: bent.timestamp ?? 'value.at',
          ...(type && { type }),
        },
      },
      n_first: { type: 'code', name: 'first', code: 'nodes/first.ts' },
      n_map: {
        type: 'operator/map',
        name: 'map',
        config: { expression: bent.map ?? '({ ...value, ms: value.ms + 1 })' },
      },
      n_second: { type: 'code', name: 'second', code: 'nodes/second.ts' },
      n_agg: {
        type: 'operator/aggregate',
        name: 'figures',
        config: {
          window: { type: 'tumbling', size: '10s' },
          aggregates: { mean: { type: 'avg', of: bent.aggregate ?? 'value.ms' } },
        },
      },
      n_out: { type: 'sink/discard', name: 'out' },
    },
    streams: {
      s_1: { from: ['n_in', 'out'], to: ['n_first', 'in'], keyBy: bent.keyBy ?? 'value.name' },
      s_2: { from: ['n_first', bent.out ?? 'loud'], to: ['n_map', 'in'] },
      s_3: { from: ['n_map', 'out'], to: ['n_second', 'in'] },
      ...(bent.right && { s_6: { from: ['n_map', 'out'], to: ['n_second', 'right'] } }),
      s_4: { from: ['n_second', 'out'], to: ['n_agg', 'in'], keyBy: 'value.name' },
      s_5: { from: ['n_agg', 'out'], to: ['n_out', 'in'] },
    },
  };
  return {
    'pipeline.json': JSON.stringify(graph, null, 2),
    'nodes/first.ts': bent.first ?? FIRST,
    'nodes/second.ts': bent.second ?? SECOND,
    'lib/words.ts': bent.lib ?? LIB,
  };
}

const bent = (what: string, how: Bent, code?: string): CheckedFixture => ({
  what,
  files: pipeline(how),
  code,
});

export const FIXTURES: readonly CheckedFixture[] = [
  bent('nothing is wrong', {}),
  bent(
    'an output that changed, seen by its consumers',
    { first: FIRST.replace('ms: number;', 'ms: string;') },
    'ts2322',
  ),
  bent(
    'an output that lacks a field',
    { first: FIRST.replace('name: string; ms', 'ms').replace('name: shout(record.value.name), ', '') },
    'ts2339',
  ),
  bent('an output that contains any', { first: FIRST.replace('ms: number;', 'ms: any;') }, 'any-output'),
  bent('an output nobody declared', { out: 'lod' }, 'unknown-port'),
  bent(
    'code that cannot be parsed',
    { first: FIRST.replace('processTimer(timer', 'processTimer(timer(') },
    'ts1005',
  ),
  bent('code without a default export', { second: 'export const x = 1;\n' }, 'no-computation'),
  bent('a default export that is no computation', { second: 'export default { a: 1 };\n' }, 'no-computation'),
  bent(
    'names that are not there at run time',
    { second: `${SECOND}console.log(1); fetch('x'); setTimeout(() => {}, 1);\n` },
    'ts2584',
  ),
  bent(
    'imports that are forbidden',
    {
      first: `import fs from 'node:fs';\nimport x from 'lodash';\nimport('./streams');\nawait fs.x(x);\n${FIRST}`,
    },
    'forbidden-import',
  ),
  bent(
    'shared code with an error, and who uses it',
    { lib: LIB.replace(': string =>', ': number =>') },
    'ts2322',
  ),
  bent(
    'shared code that is not there',
    { first: FIRST.replace('#lib/words', '#lib/wrds') },
    'forbidden-import',
  ),
  bent('a wrong key', { keyBy: 'value.tags' }, 'ts2339'),
  bent('a key of a wrong type', { keyBy: '[value.name]' }, 'ts2322'),
  bent('a key that leaves its parentheses', { keyBy: "1); import('x'); (2" }, 'syntax'),
  bent('a timestamp without its value', { timestamp: 'at' }, 'ts2304'),
  bent('a type that is not one', { type: '{ name: string; ms: nmber }' }, 'ts2552'),
  bent('a type that is not closed', { type: '{ name: string; ms: number' }, 'syntax'),
  bent('no type at all', { type: undefined }, 'untyped'),
  bent('an operator with an error', { map: 'value.nam' }, 'ts2551'),
  bent('an operator with half an expression', { map: '({ a: value.' }, 'syntax'),
  bent('an aggregate of texts', { aggregate: 'value.name' }, 'ts2322'),
  bent(
    'state, maps, timers and parameters that were not declared',
    {
      first: FIRST.replace("map('last')", "map('lst')")
        .replace("setTimer('silent'", "setTimer('loud'")
        .replace('params.limit', 'params.gap'),
    },
    'ts2339',
  ),
  bent(
    'settings of an operator in code that could only surprise at run time',
    {
      second: `import { count, aggregate, input, tumbling } from '@millrace/sdk';
import type { Inputs } from './streams';

const NONE = '0s';
export const none = aggregate(input<Inputs['in']>(), { window: tumbling(NONE), aggregates: { n: count() } });
${SECOND}`.replace(
        "import { filter, input } from '@millrace/sdk';\nimport type { Inputs } from './streams';\n",
        "import { filter } from '@millrace/sdk';\n",
      ),
    },
    'setting',
  ),
  bent(
    'an operator in code that looks up in no table',
    {
      second: `import { input, lookup } from '@millrace/sdk';
import type { Inputs } from './streams';

const rows = lookup(input<Inputs['in']>(), input<Inputs['right']>());
export default rows;
`,
      right: true,
    },
    'no-table',
  ),
];
