/** How the call of an operator is written: what the writers of all operators share. */
import type { JsonPath, Settings } from '@millrace/graph';
import type { spanned } from './project.ts';

/** How the call is written: `isPlain` without the parentheses and helpers that a half-typed form needs. */
export interface Style {
  readonly isPlain: boolean;
  /** Type of what comes in on a port. */
  readonly input: (port: string) => string;
}

export const inputOf = (port: string): string => `Inputs['${port}']`;
export const CHECKED: Style = { isPlain: false, input: (port) => `Loose<${inputOf(port)}>` };

export type Body = ReturnType<typeof spanned>;

export interface Writing {
  readonly body: Body;
  readonly base: JsonPath;
  readonly config: Settings;
  readonly style: Style;
}

/** False where the form is not valid. */
export type Writer = (writing: Writing) => boolean;

export function writeHead(names: readonly string[], { body, style }: Writing): void {
  body.add(`import { ${names.join(', ')} } from '@millrace/sdk';\n`);
  if (style.input('in').includes('Inputs')) body.add("import type { Inputs } from './streams';\n");
  if (!style.isPlain) body.add("import type { Loose } from '../prelude';\n");
  body.add('\n');
}

/** An expression as the body of an arrow function. */
export function writeExpression({ body, style }: Writing, text: string, path: JsonPath): void {
  // An object would be a block, a comment would take what follows with it, a sequence would be two arguments.
  const isBare = style.isPlain && !/[\n,;{]|\/[/*]/.test(text);
  body.add(isBare ? '' : '(\n');
  body.addFrom(isBare ? text.trim() : text, path);
  body.add(isBare ? '' : '\n)');
}

export const quoted = (text: string): string =>
  /^[\w .:+-]*$/.test(text) ? `'${text}'` : JSON.stringify(text);
