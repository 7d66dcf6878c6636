/** JSON texts written anew, with every digit as it was. Pure. */
import { type JsonNode, parseJson } from '../../ui/json-tree/parse-json.ts';

export { type JsonNode, parseJson };

const WIDE = 44;

/** Over several lines where it is long; what is no JSON stays as it is. */
export function prettyJson(text: string, wide = WIDE): string {
  const node = parseJson(text);
  return node === undefined ? text : pretty(node, '', wide);
}

/** On one line; undefined for what is no JSON. */
export function compactJson(text: string): string | undefined {
  const node = parseJson(text);
  return node && compact(node);
}

/** Each field on a line of its own and in order of its name, so that two can be compared by lines. */
export const comparable = (node: JsonNode): readonly string[] => lines(node);

export function compact(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return `{${node.entries.map(([name, value]) => `${JSON.stringify(name)}:${compact(value)}`).join(',')}}`;
    case 'array':
      return `[${node.items.map(compact).join(',')}]`;
    case 'string':
      return JSON.stringify(node.text);
    default:
      return node.text;
  }
}

function spaced(node: JsonNode): string {
  switch (node.kind) {
    case 'object': {
      const fields = node.entries.map(([name, value]) => `${JSON.stringify(name)}: ${spaced(value)}`);
      return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
    }
    case 'array':
      return `[${node.items.map(spaced).join(', ')}]`;
    default:
      return compact(node);
  }
}

function pretty(node: JsonNode, indent: string, wide: number): string {
  const short = spaced(node);
  if (indent.length + short.length <= wide || (node.kind !== 'object' && node.kind !== 'array')) return short;
  const inner = `${indent}  `;
  const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  const parts =
    node.kind === 'object'
      ? node.entries.map(([name, value]) => `${inner}${JSON.stringify(name)}: ${pretty(value, inner, wide)}`)
      : node.items.map((item) => `${inner}${pretty(item, inner, wide)}`);
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}

function lines(node: JsonNode, indent = '', name = ''): readonly string[] {
  const begin = `${indent}${name}`;
  if (node.kind !== 'object' && node.kind !== 'array') return [`${begin}${compact(node)}`];
  const inner = `${indent}  `;
  const parts =
    node.kind === 'object'
      ? [...node.entries]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .flatMap(([field, value]) => lines(value, inner, `${field}: `))
      : node.items.flatMap((item) => lines(item, inner));
  const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  return parts.length === 0
    ? [`${begin}${open}${close}`]
    : [`${begin}${open}`, ...parts, `${indent}${close}`];
}
