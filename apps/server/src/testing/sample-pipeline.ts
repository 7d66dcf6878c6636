/** A small sound pipeline as files. */
export const countCode = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { counts: { n: number } }

export default computation<Inputs, Outputs, { n: number }>({
  processRecord(_record, ctx) {
    const n = (ctx.state.get()?.n ?? 0) + 1;
    ctx.state.set({ n });
    ctx.produce('counts', { n });
  },
});
`;

export function pipelineJson(more: Record<string, unknown> = {}) {
  return {
    format: 1,
    name: 'Counting',
    nodes: {
      n_in: {
        type: 'injector/generator',
        name: 'numbers',
        config: { value: '{ n }', type: '{ n: number }', rate: 10 },
      },
      n_count: { type: 'code', name: 'count', code: 'nodes/count.ts' },
      n_out: { type: 'sink/discard', name: 'out' },
    },
    streams: {
      s_in: { from: ['n_in', 'out'], to: ['n_count', 'numbers'], keyBy: 'value.n % 3' },
      s_out: { from: ['n_count', 'counts'], to: ['n_out', 'in'] },
    },
    ...more,
  };
}

export const sampleFiles = (
  more: Record<string, unknown> = {},
  code = countCode,
): Record<string, string> => ({
  'pipeline.json': JSON.stringify(pipelineJson(more)),
  'nodes/count.ts': code,
});
