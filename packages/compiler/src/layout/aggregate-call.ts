/** The call of `aggregate`, as its form says it. */
import type { AggregateConfig, JsonPath } from '@millrace/graph';
import { quoted, type Writing, writeExpression, writeHead } from './operator-writing.ts';

type Figure = AggregateConfig['aggregates'][string];

const KNOWN = /^(count|sum|min|max|avg|distinct|approxDistinct|quantiles|topK|collect)$/;

export function writeAggregate(writing: Writing): boolean {
  const { body, config, style } = writing;
  const { window, aggregates, trigger, ...rest } = config as Partial<AggregateConfig>;
  const windowText = window === undefined ? undefined : windowCall(window);
  if (windowText === undefined || typeof aggregates !== 'object') return false;
  const entries = Object.entries(aggregates).filter(([, { type }]) => KNOWN.test(type));
  const functions = [...new Set(entries.map(([, { type }]) => type))].sort();
  writeHead(['aggregate', 'input', windowText.slice(0, windowText.indexOf('(')), ...functions], writing);
  body.add(
    `export default aggregate(input<${style.input('in')}>(), {\n  window: ${windowText},\n  aggregates: {\n`,
  );
  for (const [name, figure] of entries) writeFigure(name, figure, writing);
  body.add('  },\n');
  for (const name of ['allowedLateness', 'accumulation'] as const) {
    if (rest[name] !== undefined) body.add(`  ${name}: ${quoted(String(rest[name]))},\n`);
  }
  if (trigger !== undefined) body.add(`  trigger: ${literal(trigger)},\n`);
  if (rest.retractions === true) body.add('  retractions: true,\n');
  body.add('});\n');
  return true;
}

function writeFigure(name: string, figure: Figure, writing: Writing): void {
  const { body, style, base } = writing;
  const path = [...base, 'aggregates', name];
  const isBare = style.isPlain && /^[A-Za-z]\w*$/.test(name);
  body.add(`    ${isBare ? name : JSON.stringify(name)}: ${figure.type}(`);
  if (figure.type !== 'count') writeFunctionOf(figure.of, [...path, 'of'], writing);
  if (figure.type === 'quantiles') body.add(`, ${literal(figure.at)}`);
  if (figure.type === 'topK') {
    body.add(`, { k: ${literal(figure.k)}, by: `);
    writeFunctionOf(figure.by, [...path, 'by'], writing);
    for (const option of ['order', 'ties'] as const) {
      if (figure[option] !== undefined) body.add(`, ${option}: ${literal(figure[option])}`);
    }
    body.add(' }');
  }
  body.add('),\n');
}

function writeFunctionOf(text: unknown, path: JsonPath, writing: Writing): void {
  writing.body.add('(value) => ');
  writeExpression(writing, String(text ?? ''), path);
}

/** Undefined where the form is not valid. */
export function windowCall(window: AggregateConfig['window']): string | undefined {
  const text = (value: string): string => quoted(String(value));
  const options = ['zone', 'offset'].flatMap((name) => {
    const given = (window as Readonly<Record<string, unknown>>)[name];
    return given === undefined ? [] : [`${name}: ${quoted(String(given))}`];
  });
  const more = options.length === 0 ? '' : `, { ${options.join(', ')} }`;
  switch (window.type) {
    case 'tumbling':
      return `tumbling(${text(window.size)}${more})`;
    case 'hopping':
      return `hopping(${text(window.size)}, ${text(window.slide)}${more})`;
    case 'session':
      return `sessions(${text(window.gap)})`;
    case 'calendar':
      return `calendar(${text(window.unit)}${more})`;
    case 'global':
      return 'globalWindow()';
    default:
      return undefined;
  }
}

/** Data of a form as a person would write it. */
function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(JSON.stringify(value));
  const fields = Object.entries(value).map(
    ([name, field]) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${literal(field)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
