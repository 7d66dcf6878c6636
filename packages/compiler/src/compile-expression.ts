/** One TypeScript expression over a record, as a module: `export default (value, record) => (…)`. */
import type { Limits, Outcome } from './child/run-in-child.ts';
import { runInChild } from './child/run-in-child.ts';
import type { ExpressionResult } from './typescript/expression-module.ts';

export type CompiledExpression =
  | { readonly kind: 'built'; readonly code: string }
  /** `index` in the text. */
  | { readonly kind: 'refused'; readonly message: string; readonly index: number };

/** Checks the form only: types of what it reads are not known here. */
export async function compileExpression(text: string, limits?: Limits): Promise<CompiledExpression> {
  const outcome = await runInChild({ kind: 'expression', text }, limits);
  return resultOf(outcome) ?? { kind: 'refused', message: 'takes too long to read', index: 0 };
}

function resultOf(outcome: Outcome): ExpressionResult | undefined {
  return outcome.kind === 'done' && outcome.result.kind === 'expression' ? outcome.result.result : undefined;
}
