/** The pipeline of B3 and B13: every record raises a count that is the state of its key. */
import { compileProgram, type Program } from '../run/program.ts';

const code = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export default computation<Inputs, Record<never, never>, number>({
  processRecord(_record, ctx) {
    ctx.state.set((ctx.state.get() ?? 0) + 1);
  },
});
`;

/** Records are `{ key: string }`. */
export function compileCounting(id: string, name: string): Promise<Program> {
  const pipeline = {
    format: 1,
    id,
    name,
    nodes: {
      n_in: {
        type: 'injector/file',
        name: 'events',
        config: { path: 'events.jsonl', format: 'jsonl', type: '{ key: string }' },
      },
      n_count: { type: 'code', name: 'count', code: 'nodes/count.ts' },
    },
    streams: { s_1: { from: ['n_in', 'out'], to: ['n_count', 'events'], keyBy: 'value.key' } },
  };
  return compileProgram({ pipeline, files: { 'nodes/count.ts': code } });
}
