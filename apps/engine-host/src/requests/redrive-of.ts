import type { PipelineRun } from '@millrace/engine';
import type { HostAnswer, HostRequest } from '@millrace/protocol/control';
import { Refusal, type RequestContext } from './request-context.ts';

/** A call that takes longer is answered with where to go on. */
const LIMIT_MS = 3_000;
const MOST_REASONS = 100;

type Answer = HostAnswer<'redrive'>;

export async function redriveOf(
  { pipeline, choice }: HostRequest<'redrive'>,
  { runner, store }: RequestContext,
): Promise<Answer> {
  const known = runner(pipeline);
  if (known === undefined)
    throw new Refusal(
      'not-running',
      'The pipeline is not deployed: deploy it, so that its dead letters can be delivered again.',
    );
  return known.withLetters(async (run) => {
    if ('numbers' in choice) return redriveNumbers(run, choice.numbers);
    const stored = await store.beside(pipeline);
    const upTo = choice.upTo ?? (await stored?.newestLetter()) ?? 0;
    return redriveGroup(run, { ...choice, upTo });
  });
}

/** All of them: a caller names a bounded number. */
async function redriveNumbers(run: PipelineRun, numbers: readonly number[]): Promise<Answer> {
  const refused = new Map<number, string>();
  let redriven = 0;
  for (;;) {
    const answer = await run.redrive({ numbers: numbers.filter((number) => !refused.has(number)) });
    redriven += answer.redriven;
    for (const { number, reason } of answer.refused) refused.set(number, reason);
    // Only so many are looked at at once; those that were refused are left out of the next look.
    if (answer.redriven === 0 && answer.refused.length === 0) break;
  }
  return told(redriven, refused);
}

async function redriveGroup(
  run: PipelineRun,
  group: { readonly group: string; readonly above: number; readonly upTo: number },
): Promise<Answer> {
  const until = performance.now() + LIMIT_MS;
  const refused = new Map<number, string>();
  let redriven = 0;
  let { above } = group;
  for (;;) {
    const answer = await run.redrive({ ...group, above });
    redriven += answer.redriven;
    for (const { number, reason } of answer.refused) refused.set(number, reason);
    if (answer.next === undefined) return told(redriven, refused);
    above = answer.next;
    if (performance.now() > until) return { ...told(redriven, refused), next: { above, upTo: group.upTo } };
  }
}

function told(redriven: number, refused: ReadonlyMap<number, string>): Answer {
  return {
    redriven,
    refused: [...refused].slice(0, MOST_REASONS).map(([number, reason]) => ({ number, reason })),
    refusedCount: refused.size,
  };
}
