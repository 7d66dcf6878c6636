import type { LogLine } from '@millrace/engine';
import type { RunPlan } from '@millrace/graph';
import type { Style } from '../text/style.ts';
import { printable } from '../text/width.ts';

/** What `ctx.log` wrote, a line each, with the node it was written for and, where there is one, the key. */
export function logLines(lines: readonly LogLine[], cut: number, plan: RunPlan, style: Style): string[] {
  const names = new Map(plan.nodes.map((node) => [node.id, node.name]));
  return [
    ...lines.map(({ node, level, key, text }) => {
      const name = names.get(node) ?? node;
      const where = printable(key === '' ? name : `${name} [${key}]`);
      return `${levelWord(level, style)} ${style.dim(where)} ${printable(text)}`;
    }),
    ...(cut > 0 ? [style.dim(`… ${cut} more log lines were cut`)] : []),
  ];
}

function levelWord(level: string, style: Style): string {
  if (level === 'error') return style.red('error');
  return level === 'warn' ? style.yellow('warn') : printable(level);
}
