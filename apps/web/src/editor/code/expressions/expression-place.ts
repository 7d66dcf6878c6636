/** Where an expression of pipeline.json stands in the pipeline's TypeScript, and what is wrong within it. */
import { type Project, type RawDiagnostic, spanAt } from '@millrace/compiler/layout';
import type { JsonPath } from '@millrace/graph';

/** Offsets in UTF-16 units of the generated file at `path`. */
export interface ExpressionPlace {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export interface ExpressionFault {
  /** Offsets in the expression; never outside it, and never nothing unless it is empty. */
  readonly start: number;
  readonly end: number;
  readonly severity: RawDiagnostic['severity'];
  readonly message: string;
}

/** `setting` leads to the text, as in `['streams', 's_1', 'keyBy']`. */
export function expressionPlace({ files }: Project, setting: JsonPath): ExpressionPlace | undefined {
  const wanted = setting.join('\n');
  for (const [path, { origin }] of files) {
    if (origin.kind !== 'generated') continue;
    const span = origin.spans.find((one) => one.path.join('\n') === wanted);
    if (span !== undefined) return { path, start: span.start, end: span.end };
  }
  return undefined;
}

/** TypeScript may point at the generated parenthesis before a text: then it means all of it. */
export function faultsWithin(
  { files }: Project,
  { path, start, end }: ExpressionPlace,
  diagnostics: readonly RawDiagnostic[],
): readonly ExpressionFault[] {
  const origin = files.get(path)?.origin;
  const spans = origin?.kind === 'generated' ? origin.spans : [];
  return diagnostics
    .filter((one) => one.path === path && spanAt(spans, one.start)?.start === start)
    .map(({ start: at, length = 1, severity, message }) => {
      const [from, to] = [at - start, at - start + length];
      const isWithin = from >= 0 && at < end;
      return {
        ...(isWithin ? { start: from, end: Math.min(to, end - start) } : { start: 0, end: end - start }),
        severity,
        message,
      };
    });
}
