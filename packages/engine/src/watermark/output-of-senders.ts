import type { RunPlan } from '@millrace/graph';
import type { Watermark } from '@millrace/protocol';
import { WatermarkCoalescer } from './coalescer.ts';

/** What a node's senders have promised it (W1). */
export function outputOfSenders(
  plan: RunPlan,
  node: number,
  outputOf: (sender: number) => Watermark,
): Watermark {
  const inputs = plan.nodes[node]?.inputs ?? [];
  const least = new WatermarkCoalescer(inputs.length);
  inputs.forEach((stream, input) => {
    const sender = plan.streams[stream]?.from;
    if (sender !== undefined) least.set(input, outputOf(sender));
  });
  return least.output;
}
