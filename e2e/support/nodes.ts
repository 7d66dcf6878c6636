/** Shorthand for pipelines of the commonest shape: a file, one code node, a file. */
import type { PipelineJson } from './folders.ts';

export const file = (path: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'injector/file',
  name: path.replaceAll(/[./]/g, ' '),
  config: { path, format: 'jsonl', ...more },
});

export const out = (path = 'out.jsonl') => ({ type: 'sink/file', name: `to ${path}`, config: { path } });

export const code = (name: string, path: string) => ({ type: 'code', name, code: `nodes/${path}.ts` });

export interface Chain {
  /** Settings of the injector beside path and format. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly keyBy?: string;
}

/** in.jsonl → `nodes/step.ts` → out.jsonl. */
export function chain({ input = {}, keyBy }: Chain = {}): PipelineJson {
  return {
    nodes: {
      n_in: { ...file('in.jsonl', input), name: 'input' },
      n_step: code('step', 'step'),
      n_out: out(),
    },
    streams: {
      s_in: { from: ['n_in', 'out'], to: ['n_step', 'in'], ...(keyBy === undefined ? {} : { keyBy }) },
      s_out: { from: ['n_step', 'out'], to: ['n_out', 'in'] },
    },
  };
}

/** A computation whose `processRecord` has this body, and perhaps a `processTimer`. */
export function step(body: string, { timer = '', head = '' } = {}): string {
  return `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';
export interface Outputs { out: unknown }
${head}
export default computation<Inputs, Outputs, any>({
  processRecord(record, ctx) {
    const value = record.value;
    ${body}
  },
  ${timer && `processTimer(timer, ctx) { ${timer} },`}
});
`;
}

/** Counts the records of each key and passes on how many there were. */
export const COUNTING = `const n = (ctx.state.get() ?? 0) + 1; ctx.state.set(n); ctx.produce('out', { n: value.n, seen: n });`;

export const jsonLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');
