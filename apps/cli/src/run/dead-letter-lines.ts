import type { DeadLetterRow } from '@millrace/engine';
import type { NodeKind, RunPlan } from '@millrace/graph';
import type { Style } from '../text/style.ts';
import { cut, printable } from '../text/width.ts';

const remedies: Readonly<Record<NodeKind, string>> = {
  injector: 'Correct this place of the input, or the settings of the injector; what follows it was read.',
  computation: 'Correct the node or the input; `--fresh` reads everything again.',
  sink: 'Change the value upstream, or what the target accepts; `--fresh` writes everything again.',
};

/** Each dead letter with its node, where its input stood, why it could not be processed and what to do. */
export function deadLetterLines(
  letters: readonly DeadLetterRow[],
  plan: RunPlan,
  width: number,
  style: Style,
): string[] {
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  return letters.flatMap((letter) => {
    const node = nodes.get(letter.node);
    const frame = firstFrame(letter.stack);
    const tries = letter.attempts > 1 ? `, ${letter.attempts} tries` : '';
    return [
      `${style.red('dead letter')} in ${style.bold(printable(node?.name ?? letter.node))}: ${printable(letter.origin)}${tries}`,
      `    ${printable(letter.error)}${frame === undefined ? '' : ` (${printable(frame)})`}`,
      style.dim(`    ${cut(printable(letter.input), Math.max(20, width - 4))}`),
      `    ${remedies[node?.kind ?? 'computation']}`,
    ];
  });
}

/** Where in the pipeline's own code it happened, of a stack already mapped to the TypeScript lines. */
function firstFrame(stack: string): string | undefined {
  return /((?:nodes|lib)\/[^\s():]+\.ts:\d+:\d+)/.exec(stack)?.[1];
}
