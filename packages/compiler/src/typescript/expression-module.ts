import ts from 'typescript-js';
import { malformed } from './well-formed.ts';

export type ExpressionResult =
  | { readonly kind: 'built'; readonly code: string }
  | { readonly kind: 'refused'; readonly message: string; readonly index: number };

export function expressionModule(text: string): ExpressionResult {
  const wrong = malformed(text, 'expression');
  if (wrong !== undefined) return { kind: 'refused', ...wrong };
  const { outputText } = ts.transpileModule(`export default (value: any, record: any) => (\n${text}\n);\n`, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  });
  return { kind: 'built', code: outputText };
}
