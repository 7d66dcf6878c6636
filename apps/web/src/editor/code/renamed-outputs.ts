/**
 * An output whose name was changed in the code leaves its streams at a name that is not there any more. Where it can
 * only be one, they can go along. Offered, not done: while a name is typed, every letter would be another. Pure.
 */
import type { CheckResult } from '@millrace/compiler/layout';
import type { Pipeline } from '@millrace/graph';

export interface RenamedOutput {
  readonly node: string;
  readonly from: string;
  readonly to: string;
  readonly streams: readonly string[];
}

/** One name with streams is gone, one without any is there: anything else is for people to decide. */
export function renamedOutputs(pipeline: Pipeline, findings: CheckResult['ports']): readonly RenamedOutput[] {
  const lost = findings.filter((finding) => finding.kind === 'unknown-output');
  return [...new Set(lost.map(({ node }) => node))].flatMap((node): RenamedOutput[] => {
    const streams = [...pipeline.streams.values()].filter(({ from }) => from[0] === node);
    const [first, ...more] = lost.filter((finding) => finding.node === node);
    const free = first?.known.filter((port) => !streams.some(({ from }) => from[1] === port)) ?? [];
    const [to, ...others] = free;
    if (first === undefined || more.length > 0 || to === undefined || others.length > 0) return [];
    const those = streams.filter(({ from }) => from[1] === first.port).map(({ id }) => id);
    return [{ node, from: first.port, to, streams: those }];
  });
}
