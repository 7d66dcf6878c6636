/** The graph's rules about operators, for nodes whose code is the call of one: found where the call stands. */
import { checkAsOperators, type Issue, type PipelineFolder } from '@millrace/graph';
import type { CheckResult, RawDiagnostic } from '../typescript/check-request.ts';
import type { Project } from './layout-project.ts';

export interface WrittenFindings {
  readonly inCode: readonly RawDiagnostic[];
  /** About forms, because of the code in front of or behind them. */
  readonly inGraph: readonly Issue[];
}

export function writtenOperators(
  folder: PipelineFolder,
  { types, overrides }: Project,
  { operators }: CheckResult,
): WrittenFindings {
  const at = new Map(operators.map((each) => [each.node, each]));
  const written = new Map(
    operators.map(({ node, operator, settings }) => [
      node,
      { type: `operator/${operator}`, config: settings },
    ]),
  );
  const inCode: RawDiagnostic[] = [];
  const inGraph: Issue[] = [];
  for (const issue of written.size === 0 ? [] : checkAsOperators(folder, types, written, overrides)) {
    const place = at.get(issue.node ?? '');
    if (place === undefined) {
      inGraph.push(issue);
      continue;
    }
    const { node, start, length } = place;
    const { code, severity, message } = issue;
    inCode.push({ path: `/${node}/node.ts`, start, length, code, severity, message });
  }
  return { inCode, inGraph };
}
