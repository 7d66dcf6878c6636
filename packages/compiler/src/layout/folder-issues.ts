/**
 * What is asked of TypeScript about a folder, and its answer as issues. Safe in a browser: page and server ask the same
 * and say the same.
 */
import { type Issue, PIPELINE_FILE, type PipelineFolder } from '@millrace/graph';
import { portIssues } from '../port-issues.ts';
import type { CheckRequest, CheckResult, PortTarget } from '../typescript/check-request.ts';
import { checkTargets, diagnosticIssue } from './diagnostic-issue.ts';
import type { Project } from './layout-project.ts';
import { writtenOperators } from './written-operators.ts';

export function checkRequest({ pipeline }: PipelineFolder, project: Project): CheckRequest {
  const outputs = new Map<string, Set<string>>();
  for (const { from } of pipeline.streams.values()) {
    outputs.set(from[0], (outputs.get(from[0]) ?? new Set<string>()).add(from[1]));
  }
  const nodes: PortTarget[] = [...pipeline.nodes.values()]
    .filter(({ id }) => project.files.has(`/${id}/node.ts`))
    .map(({ id, type }) => ({
      node: id,
      kind: type === 'code' ? 'code' : 'operator',
      outputs: [...(outputs.get(id) ?? [])],
    }));
  const files = new Map([...project.files].map(([path, { text }]) => [path, text]));
  return { files, targets: checkTargets(pipeline, project), nodes };
}

export function untypedIssues(folder: PipelineFolder, project: Project): Issue[] {
  return project.untyped.map((node) => ({
    code: 'untyped',
    severity: 'warning',
    message: `the values of '${node.name}' (${node.id}) have no type, so they are unknown to the nodes behind it; add "type" to its settings, such as "type": "{ origin: string; delay: number }"`,
    node: node.id,
    path: `nodes.${node.id}.config`,
    file: PIPELINE_FILE,
    ...folder.positions.value(['nodes', node.id, 'config']),
  }));
}

export function resultIssues(folder: PipelineFolder, project: Project, result: CheckResult): Issue[] {
  const written = writtenOperators(folder, project, result);
  const issues = [...result.diagnostics, ...written.inCode].map((raw) =>
    diagnosticIssue(folder, project, raw),
  );
  issues.push(...written.inGraph);
  // A file that cannot be parsed declares nothing; what its ports lack would only repeat that.
  const unparsed = new Set(
    result.diagnostics.filter(({ code }) => /^ts1\d{3}$/.test(code)).map(({ path }) => path),
  );
  for (const finding of result.ports) {
    if (!unparsed.has(`/${finding.node}/node.ts`)) issues.push(...portIssues(folder, project, finding));
  }
  return issues;
}
