/**
 * `/n_x/node.ts` of an operator node: the call of the SDK function its form stands for, exactly what "turn into
 * code" would give.
 */
import type { JsonPath, Node, Settings } from '@millrace/graph';
import { writeAggregate } from './aggregate-call.ts';
import { callWriters } from './operator-calls.ts';
import {
  type Body,
  CHECKED,
  inputOf,
  quoted,
  type Style,
  type Writer,
  type Writing,
  writeExpression,
  writeHead,
} from './operator-writing.ts';
import { type ProjectFile, spanned } from './project.ts';

/** Undefined for types that are no operators or whose form is not valid. */
export function operatorFile(node: Pick<Node, 'id' | 'type'>, config: Settings): ProjectFile | undefined {
  const body = writeOperator(node, config, CHECKED);
  if (body === undefined) return undefined;
  const origin = {
    kind: 'generated',
    path: ['nodes', node.id],
    node: node.id,
    role: 'operator',
    spans: body.spans,
  } as const;
  return { text: body.text(), origin };
}

/**
 * What an operator becomes when it is turned into code: the same call, as a person would write it. `isUntyped`: nothing
 * is known of what comes in, so that fields of it may be read only as `any`, which is what the form's expressions do.
 */
export function operatorCode(
  node: Pick<Node, 'id' | 'type'>,
  config: Settings,
  { isUntyped = false } = {},
): string | undefined {
  return writeOperator(node, config, { isPlain: true, input: isUntyped ? () => 'any' : inputOf })?.text();
}

function writeOperator(
  { id, type }: Pick<Node, 'id' | 'type'>,
  config: Settings,
  style: Style,
): Body | undefined {
  const body = spanned();
  const write = WRITERS.get(type);
  const base: JsonPath = ['nodes', id, 'config'];
  return write?.({ body, base, config, style }) === true ? body : undefined;
}

const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['operator/map', (writing) => writeFunction('map', writing)],
  ['operator/filter', (writing) => writeFunction('filter', writing)],
  ['operator/flatMap', (writing) => writeFunction('flatMap', writing)],
  ['operator/union', writeUnion],
  ['operator/aggregate', writeAggregate],
  ['operator/deduplicate', writeDeduplicate],
  ['operator/intervalJoin', writeIntervalJoin],
  ['operator/groupBy', (writing) => writeFunction('groupBy', writing)],
  ['operator/forEach', (writing) => writeFunction('forEach', writing, '(value, record, ctx)')],
  ...callWriters,
]);

function writeFunction(name: string, writing: Writing, over = '(value, record)'): boolean {
  const { body, base, config, style } = writing;
  if (typeof config.expression !== 'string') return false;
  writeHead([name, 'input'], writing);
  body.add(`export default ${name}(input<${style.input('in')}>(), ${over} => `);
  writeExpression(writing, config.expression, [...base, 'expression']);
  body.add(');\n');
  return true;
}

function writeUnion(writing: Writing): boolean {
  writeHead(['input', 'union'], writing);
  writing.body.add(`export default union(input<${writing.style.input('in')}>());\n`);
  return true;
}

function writeDeduplicate(writing: Writing): boolean {
  const { body, base, config, style } = writing;
  const { by, within } = config as { by?: unknown; within?: unknown };
  if (typeof within !== 'string') return false;
  writeHead(['deduplicate', 'input'], writing);
  body.add(`export default deduplicate(input<${style.input('in')}>(), {\n`);
  if (typeof by === 'string') {
    body.add('  by: (value, record) => ');
    writeExpression(writing, by, [...base, 'by']);
    body.add(',\n');
  }
  body.add(`  within: ${quoted(within)},\n});\n`);
  return true;
}

function writeIntervalJoin(writing: Writing): boolean {
  const { body, base, config, style } = writing;
  const { lower, upper, join } = config as { lower?: unknown; upper?: unknown; join?: unknown };
  if (typeof lower !== 'string' || typeof upper !== 'string') return false;
  writeHead(['input', 'intervalJoin'], writing);
  body.add(
    `export default intervalJoin(input<${style.input('left')}>(), input<${style.input('right')}>(), {\n`,
  );
  body.add(`  lower: ${quoted(lower)},\n  upper: ${quoted(upper)},\n`);
  if (typeof join === 'string') {
    body.add('  join: (left, right) => ');
    writeExpression(writing, join, [...base, 'join']);
    body.add(',\n');
  }
  body.add('});\n');
  return true;
}
