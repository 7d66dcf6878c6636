/**
 * The one form of everything that is wrong with a pipeline, from a missing comma to a type error in a node.
 * In a draft issues are shown, never refused; those of severity `error` block a deploy (G3).
 */
export interface Issue {
  /** `cycle`, `unknown-port`, `setting`, `ts2322`, … */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** What, where, why, what to do. */
  readonly message: string;
  readonly node?: string;
  readonly stream?: string;
  /** Place inside pipeline.json, `nodes.n_1.config.slack`. */
  readonly path?: string;
  /** Path inside the pipeline folder. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

export function hasErrors(issues: readonly Issue[]): boolean {
  return issues.some((issue) => issue.severity === 'error');
}

/** By file and place, so that two runs print the same list. */
export function sortIssues(issues: readonly Issue[]): Issue[] {
  return [...issues].sort(
    (a, b) =>
      compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.message, b.message),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
