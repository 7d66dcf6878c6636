/** Calls of operators whose form is a list of options, most of them expressions. */
import type { AggregateConfig, JsonPath } from '@millrace/graph';
import { windowCall } from './aggregate-call.ts';
import { quoted, type Writer, type Writing, writeExpression, writeHead } from './operator-writing.ts';

/** An option of a call: how it is written, where the form has it. */
interface Option {
  readonly name: string;
  /** Parameters of the arrow function whose body the setting is; without them it is a text. */
  readonly over?: string;
  readonly isOptional?: true;
}

interface Call {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly options: readonly Option[];
}

const one = ['in'];
const two = ['left', 'right'];
const of = (name: string, over: string): Option => ({ name, over });
const text = (name: string): Option => ({ name });
const optional = (option: Option): Option => ({ ...option, isOptional: true });
const lateness = optional(text('allowedLateness'));
const join = optional(of('join', '(left, right)'));
const kind = optional(text('kind'));

const CALLS: readonly Call[] = [
  { name: 'sortByTime', inputs: one, options: [optional(of('by', '(value, record)'))] },
  { name: 'reduceByKey', inputs: one, options: [of('reduce', '(a, b)'), text('every'), lateness] },
  {
    name: 'reduceByWindow',
    inputs: one,
    options: [
      of('reduce', '(a, b)'),
      optional(of('inverse', '(a, b)')),
      text('size'),
      text('slide'),
      lateness,
    ],
  },
  { name: 'save', inputs: one, options: [text('every'), lateness] },
  { name: 'runningReduce', inputs: one, options: [of('reduce', '(a, b)')] },
  {
    name: 'track',
    inputs: one,
    options: [of('init', '(value, record)'), of('update', '(state, value, record)'), text('timeout')],
  },
  { name: 'table', inputs: one, options: [optional(of('deletes', '(value, record)'))] },
  { name: 'tableJoin', inputs: two, options: [kind, join] },
  { name: 'lookup', inputs: two, options: [kind, join] },
];

export const callWriters: readonly (readonly [type: string, write: Writer])[] = [
  ...CALLS.map((call) => [`operator/${call.name}`, (writing: Writing) => writeCall(call, writing)] as const),
  ['operator/windowJoin', writeWindowJoin],
  ['operator/pattern', writePattern],
];

function writeCall({ name, inputs, options }: Call, writing: Writing): boolean {
  const { config } = writing;
  if (options.some((option) => option.isOptional !== true && typeof config[option.name] !== 'string'))
    return false;
  writeHead([name, 'input'].sort(), writing);
  writeInputs(name, inputs, writing);
  const given = options.filter((option) => typeof config[option.name] === 'string');
  if (given.length > 0) writing.body.add(', {\n');
  for (const option of given) writeOption(option, writing);
  writing.body.add(given.length > 0 ? '});\n' : ');\n');
  return true;
}

function writeInputs(name: string, inputs: readonly string[], { body, style }: Writing): void {
  body.add(`export default ${name}(${inputs.map((port) => `input<${style.input(port)}>()`).join(', ')}`);
}

function writeOption({ name, over }: Option, writing: Writing): void {
  const { body, base, config } = writing;
  const setting = String(config[name]);
  if (over === undefined) body.add(`  ${name}: ${quoted(setting)},\n`);
  else writeFunctionOf(writing, { indent: '  ', name, over, setting, path: [...base, name] });
}

interface FunctionOption {
  readonly indent: string;
  readonly name: string;
  readonly over: string;
  readonly setting: string;
  readonly path: JsonPath;
}

function writeFunctionOf(writing: Writing, { indent, name, over, setting, path }: FunctionOption): void {
  writing.body.add(`${indent}${name}: ${over} => `);
  writeExpression(writing, setting, path);
  writing.body.add(',\n');
}

const NEEDED: ReadonlyMap<string, readonly string[]> = new Map([
  ['tumbling', ['size']],
  ['hopping', ['size', 'slide']],
  ['session', ['gap']],
  ['calendar', ['unit']],
  ['global', []],
]);

function writeWindowJoin(writing: Writing): boolean {
  const { body, config } = writing;
  const given = objectOf(config.window);
  const needed = NEEDED.get(String(given.type));
  if (needed?.every((name) => typeof given[name] === 'string') !== true) return false;
  const window = windowCall(given as unknown as AggregateConfig['window']) ?? '';
  writeHead(['input', 'windowJoin', window.slice(0, window.indexOf('('))].sort(), writing);
  writeInputs('windowJoin', two, writing);
  body.add(`, {\n  window: ${window},\n`);
  for (const option of [kind, join, lateness])
    if (typeof config[option.name] === 'string') writeOption(option, writing);
  body.add('});\n');
  return true;
}

function writePattern(writing: Writing): boolean {
  const { body, base, config } = writing;
  const { steps, within, skip, skipTo, select } = config;
  if (!Array.isArray(steps) || typeof within !== 'string') return false;
  const all = steps.map(objectOf);
  if (all.some(({ name, where }) => typeof name !== 'string' || typeof where !== 'string')) return false;
  writeHead(['input', 'pattern'], writing);
  writeInputs('pattern', one, writing);
  body.add(', {\n  steps: [\n');
  for (const [i, { name, where, after, oneOrMore }] of all.entries()) {
    body.add(`    {\n      name: ${quoted(String(name))},\n`);
    if (typeof after === 'string') body.add(`      after: ${quoted(after)},\n`);
    if (oneOrMore === true) body.add('      oneOrMore: true,\n');
    const path = [...base, 'steps', i, 'where'];
    writeFunctionOf(writing, {
      indent: '      ',
      name: 'where',
      over: '(value, matched)',
      setting: String(where),
      path,
    });
    body.add('    },\n');
  }
  body.add(`  ],\n  within: ${quoted(within)},\n`);
  const goes = skip === 'toFirst' || skip === 'toLast';
  if (goes && typeof skipTo === 'string') body.add(`  skip: { ${skip}: ${quoted(skipTo)} },\n`);
  else if (!goes && typeof skip === 'string') body.add(`  skip: ${quoted(skip)},\n`);
  if (typeof select === 'string') writeOption(of('select', '(matched)'), writing);
  body.add('});\n');
  return true;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
