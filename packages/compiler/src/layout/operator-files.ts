/**
 * `/n_x/node.ts` of an operator node: the call of the SDK function its form stands for, exactly what "turn into
 * code" would give.
 */
import type { AggregateConfig, JsonPath, Node, Settings } from '@millrace/graph';
import { type ProjectFile, spanned } from './project.ts';

/** Undefined for types that are no operators or whose form is not valid. */
export function operatorFile(node: Pick<Node, 'id' | 'type'>, config: Settings): ProjectFile | undefined {
  const body = spanned();
  const base: JsonPath = ['nodes', node.id, 'config'];
  const write = WRITERS.get(node.type);
  if (write === undefined || !write({ body, base, config })) return undefined;
  const origin = {
    kind: 'generated',
    path: ['nodes', node.id],
    node: node.id,
    role: 'operator',
    spans: body.spans,
  } as const;
  return { text: body.text(), origin };
}

interface Writing {
  readonly body: ReturnType<typeof spanned>;
  readonly base: JsonPath;
  readonly config: Settings;
}

type Writer = (writing: Writing) => boolean;

const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['operator/map', (writing) => writeFunction('map', writing)],
  ['operator/filter', (writing) => writeFunction('filter', writing)],
  ['operator/flatMap', (writing) => writeFunction('flatMap', writing)],
  ['operator/union', writeUnion],
  ['operator/aggregate', writeAggregate],
]);

const INPUT = "input<Loose<Inputs['in']>>()";
const TYPES = "import type { Inputs } from './streams';\nimport type { Loose } from '../prelude';\n\n";

function writeFunction(name: string, { body, base, config }: Writing): boolean {
  if (typeof config.expression !== 'string') return false;
  body.add(`import { ${name}, input } from '@millrace/sdk';\n${TYPES}`);
  body.add(`export default ${name}(${INPUT}, (value, record) => (\n`);
  body.addFrom(config.expression, [...base, 'expression']);
  body.add('\n));\n');
  return true;
}

function writeUnion({ body }: Writing): boolean {
  body.add(`import { input, union } from '@millrace/sdk';\n${TYPES}export default union(${INPUT});\n`);
  return true;
}

function writeAggregate({ body, base, config }: Writing): boolean {
  const { window, aggregates, allowedLateness } = config as Partial<AggregateConfig>;
  const windowText = window === undefined ? undefined : windowCall(window);
  if (windowText === undefined || typeof aggregates !== 'object') return false;
  const entries = Object.entries(aggregates).filter(([, { type }]) => /^(count|sum|min|max|avg)$/.test(type));
  const functions = [...new Set(entries.map(([, { type }]) => type))].sort();
  const names = ['aggregate', 'input', windowText.slice(0, windowText.indexOf('(')), ...functions];
  body.add(`import { ${names.join(', ')} } from '@millrace/sdk';\n${TYPES}`);
  body.add(`export default aggregate(${INPUT}, {\n  window: ${windowText},\n  aggregates: {\n`);
  for (const [name, aggregate] of entries) {
    body.add(`    ${JSON.stringify(name)}: ${aggregate.type}(`);
    if (aggregate.type !== 'count') {
      body.add('(value) => (\n');
      body.addFrom(aggregate.of, [...base, 'aggregates', name, 'of']);
      body.add('\n)');
    }
    body.add('),\n');
  }
  body.add('  },\n');
  if (allowedLateness !== undefined) body.add(`  allowedLateness: ${JSON.stringify(allowedLateness)},\n`);
  body.add('});\n');
  return true;
}

function windowCall(window: AggregateConfig['window']): string | undefined {
  const text = (value: string): string => JSON.stringify(String(value));
  const offset =
    'offset' in window && window.offset !== undefined ? `, { offset: ${text(window.offset)} }` : '';
  switch (window.type) {
    case 'tumbling':
      return `tumbling(${text(window.size)}${offset})`;
    case 'hopping':
      return `hopping(${text(window.size)}, ${text(window.slide)}${offset})`;
    case 'session':
      return `sessions(${text(window.gap)})`;
    default:
      return undefined;
  }
}
