/**
 * Whether a text is one expression (or one type) and nothing else. It is put between parentheses in a generated
 * file, and a text such as `1); import('x'); (2` would otherwise leave them.
 */
import ts from 'typescript-js';

export interface Malformed {
  /** Index in the text. */
  readonly index: number;
  readonly message: string;
}

export function malformed(text: string, kind: 'expression' | 'type'): Malformed | undefined {
  const before = kind === 'expression' ? '(\n' : 'type T = (\n';
  const source = ts.createSourceFile('/x.ts', `${before}${text}\n)`, ts.ScriptTarget.ES2023, true);
  const [statement, second] = source.statements;
  const inner =
    kind === 'expression'
      ? statement !== undefined &&
        ts.isExpressionStatement(statement) &&
        ts.isParenthesizedExpression(statement.expression)
      : statement !== undefined &&
        ts.isTypeAliasDeclaration(statement) &&
        ts.isParenthesizedTypeNode(statement.type);
  const [error] = (source as unknown as { parseDiagnostics: readonly ts.DiagnosticWithLocation[] })
    .parseDiagnostics;
  if (error !== undefined) {
    const index = Math.min(Math.max(error.start - before.length, 0), text.length);
    return { index, message: ts.flattenDiagnosticMessageText(error.messageText, ' ') };
  }
  if (inner && second === undefined) return undefined;
  return { index: 0, message: `is not one ${kind}` };
}
