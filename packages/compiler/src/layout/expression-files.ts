/** One generated file per expression of pipeline.json; each exports a function by default. */
import type { JsonPath } from '@millrace/graph';
import { type ProjectFile, spanned } from './project.ts';

export interface Expression {
  readonly role: 'keyBy' | 'timestamp' | 'value';
  readonly text: string;
  readonly path: JsonPath;
  /** Type text of the values it reads. */
  readonly type: string;
  readonly node?: string;
  readonly stream?: string;
}

export function expressionFile(expression: Expression): ProjectFile {
  const { role, text, path, node, stream } = expression;
  const body = spanned();
  body.add(header(expression));
  body.addFrom(text, path);
  body.add('\n);\n');
  const about = { ...(node === undefined ? {} : { node }), ...(stream === undefined ? {} : { stream }) };
  return { text: body.text(), origin: { kind: 'generated', path, role, spans: body.spans, ...about } };
}

/** The expression stands on lines of its own, so that a `//` comment in it ends with it. */
function header({ role, type }: Expression): string {
  if (role === 'value') return 'export default (n: number, time: number, random: () => number) => (\n';
  const result = role === 'keyBy' ? 'Key' : 'Time';
  return [
    `import type { ${result}, Read, ReadRecord } from '../prelude';\n`,
    `type Value = ${type};\n`,
    `export default (value: Read<Value>, record: ReadRecord<Value>): ${result} => (\n`,
  ].join('');
}

/** `/n_x/type.ts`: the type a person gave to an injector's values. */
export function typeFile(text: string, path: JsonPath, node: string): ProjectFile {
  const body = spanned();
  body.add('type Value = (\n');
  body.addFrom(text, path);
  body.add('\n);\nexport default Value;\n');
  return { text: body.text(), origin: { kind: 'generated', path, node, role: 'type', spans: body.spans } };
}
