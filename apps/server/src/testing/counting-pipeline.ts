/**
 * A pipeline for tests of deployments: numbers from a generator, doubled by a code node and counted by tens, into
 * the table `data.<pipeline>`. Built in this process: what these tests are about begins behind the build.
 */
import { connectorSpecs } from '@millrace/connectors';
import { buildVersion } from '@millrace/deployment';
import { nodeTypes, readFolder } from '@millrace/graph';
import type { DeployRequest, Store } from '@millrace/store';

export interface CountingPipeline {
  readonly id: string;
  /** Records a second, or `max`. */
  readonly rate: number | 'max';
  /** Without it the input never ends. */
  readonly count?: number;
  /** Of the code node: what it multiplies by. */
  readonly factor?: number;
  /** The code node is there under another id: its state would go. */
  readonly node?: string;
  /** Replaces the code node's module. */
  readonly code?: string;
  /** Replaces the injector. */
  readonly injector?: { readonly type: string; readonly config: Readonly<Record<string, unknown>> };
  /** Replaces the sink. */
  readonly sink?: { readonly type: string; readonly config: Readonly<Record<string, unknown>> };
}

/** Stores it and returns the version's number. */
export async function storeVersion(store: Store, pipeline: CountingPipeline): Promise<number> {
  const folder = readFolder(files(pipeline));
  const built = await buildVersion({ folder, types: nodeTypes(connectorSpecs) }, new Map());
  if ('issues' in built) throw new Error(JSON.stringify(built.issues));
  return (await store.pipeline(pipeline.id)).versions.save(built.stored);
}

/** Stores it and wishes that it runs; who calls nudges the host. Returns the version's number. */
export async function deployVersion(
  store: Store,
  pipeline: CountingPipeline,
  more: Partial<DeployRequest> = {},
): Promise<number> {
  const version = await storeVersion(store, pipeline);
  await store.deployments.deploy({
    pipeline: pipeline.id,
    workspace: 'w_default',
    version,
    desired: 'running',
    workers: 1,
    plannedFrom: undefined,
    dropState: [],
    folder: undefined,
    actor: 'a_test',
    message: '',
    ...more,
  });
  return version;
}

export const tableOf = (id: string): string => `data."${id}"`;

function files(pipeline: CountingPipeline): ReadonlyMap<string, string> {
  const { id, rate, count, node = 'n_code' } = pipeline;
  const config = { value: '{ n: n }', rate, futureBound: 'off', ...(count === undefined ? {} : { count }) };
  const injector = pipeline.injector ?? { type: 'injector/generator', config };
  const json = {
    format: 1,
    id,
    name: id,
    nodes: {
      n_in: { ...injector, name: 'numbers' },
      [node]: { type: 'code', name: 'code', code: 'nodes/code.ts' },
      n_out: { ...(pipeline.sink ?? table(id)), name: 'rows' },
    },
    streams: {
      s_1: { from: ['n_in', 'out'], to: [node, 'numbers'], keyBy: 'String(value.n % 10)' },
      s_2: { from: [node, 'rows'], to: ['n_out', 'in'] },
    },
  };
  return new Map([
    ['pipeline.json', JSON.stringify(json)],
    ['nodes/code.ts', pipeline.code ?? code(pipeline.factor ?? 2)],
  ]);
}

const table = (id: string) => ({
  type: 'sink/postgres',
  config: {
    table: id,
    columns: {
      n: { from: 'value.n', type: 'bigint' },
      product: { from: 'value.product', type: 'bigint' },
      seen: { from: 'value.seen', type: 'bigint' },
    },
  },
});

const code = (factor: number) => `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { rows: { n: number; product: number; seen: number } }

export default computation<Inputs, Outputs, number>({
  processRecord(record, ctx) {
    const seen = (ctx.state.get() ?? 0) + 1;
    ctx.state.set(seen);
    const { n } = record.value as { n: number };
    ctx.produce('rows', { n, product: n * ${factor}, seen });
  },
});
`;
