import type { DeployPlan, NodePlan } from '@millrace/deployment';
import type { Style } from '../text/style.ts';
import { table } from '../text/table.ts';
import { printable } from '../text/width.ts';

const columns = [
  { title: 'node', align: 'left', drop: 0 },
  { title: 'plan', align: 'left', drop: 0 },
  { title: 'changed', align: 'left', drop: 2 },
  { title: 'state', align: 'left', drop: 1 },
] as const;

/** The plan as a table, with what to do where state would go. */
export function deployPlanLines(plan: DeployPlan, width: number, style: Style): string[] {
  const rows = plan.nodes.map((n) => [printable(n.name), n.kind, n.changes.join(', '), n.note]);
  const [head = '', ...lines] = table(columns, rows, width);
  return [
    'The pipeline has changed. The plan:',
    style.dim(head),
    ...lines.map((line, at) => (plan.nodes[at]?.losesState ? style.red(line) : line)),
    ...(plan.losing.length > 0 ? refusal(plan.nodes.filter((node) => node.losesState)) : []),
  ];
}

function refusal(losing: readonly NodePlan[]): string[] {
  const names = losing.map((node) => printable(node.name)).join(', ');
  return [
    `State of ${names} would go. Run again with --drop-state to agree, keep the node as it was, or give it a migrateState;`,
    '--fresh starts the whole pipeline anew.',
  ];
}
