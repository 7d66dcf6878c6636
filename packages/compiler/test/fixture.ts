/** Pipelines for the tests of this package. Not part of its face. */
import { connectorSpecs } from '@millrace/connectors/specs';
import { type Issue, type NodeTypes, nodeTypes, type PipelineFolder, readFolder } from '@millrace/graph';
import { checkFolder } from '../src/check-folder.ts';

export const types: NodeTypes = nodeTypes(connectorSpecs);

export const COUNT_BY_HOUR = `import { computation } from '@millrace/sdk';
import type { Inputs, Params } from './streams';
import { hourOf } from '#lib/hours';

export interface Outputs { counts: { origin: string; flights: number } }
interface State { flights: number }

export default computation<Inputs, Outputs, State, { maps: { hours: number }; params: Params }>({
  processRecord(record, ctx) {
    const gap: string = ctx.params.gap;
    ctx.log.debug(gap, record.value.delay * 2);
    const hour = hourOf(record.timestamp);
    const hours = ctx.map('hours');
    hours.set(hour, (hours.get(hour) ?? 0) + 1);
    ctx.setTimer(String(hour), hour + 3_600_000, { hold: hour + 3_600_000 - 1 });
  },
  processTimer(timer, ctx) {
    const hour = Number(timer.tag);
    const hours = ctx.map('hours');
    ctx.produce('counts', { origin: ctx.key, flights: hours.get(hour)! });
    hours.delete(hour);
  },
});
`;

export const BUSY = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { busy: { origin: string } }

export default computation<Inputs, Outputs>({
  processRecord(record, ctx) {
    if (record.value.flights > 3) ctx.produce('busy', { origin: record.value.origin });
  },
});
`;

// biome-ignore lint/suspicious/noExplicitAny: tests bend this object in every way
export type Editable = any;

export function flights(): Editable {
  return {
    format: 1,
    id: 'p_k3v9w2mzq7ab',
    name: 'Flight delays by hour',
    nodes: {
      n_flights: {
        type: 'injector/file',
        name: 'flights',
        config: {
          path: 'flights.jsonl',
          format: 'jsonl',
          timestamp: 'value.at',
          slack: '30m',
          type: '{ at: number; origin: string; delay: number }',
        },
      },
      n_count: { type: 'code', name: 'count by hour', code: 'nodes/count-by-hour.ts' },
      n_busy: { type: 'code', name: 'busy', code: 'nodes/busy.ts' },
      n_out: { type: 'sink/file', name: 'result', config: { path: 'result.jsonl' } },
    },
    streams: {
      s_1: { from: ['n_flights', 'out'], to: ['n_count', 'flights'], keyBy: 'value.origin' },
      s_2: { from: ['n_count', 'counts'], to: ['n_busy', 'counts'] },
      s_3: { from: ['n_busy', 'busy'], to: ['n_out', 'in'] },
    },
    parameters: { gap: { type: 'duration', default: '30m' } },
  };
}

export interface Parts {
  readonly pipeline?: unknown;
  readonly files?: Readonly<Record<string, string>>;
}

export function folderOf({ pipeline = flights(), files = {} }: Parts = {}): PipelineFolder {
  return readFolder(
    new Map([
      ['pipeline.json', typeof pipeline === 'string' ? pipeline : `${JSON.stringify(pipeline, null, 2)}\n`],
      ['nodes/count-by-hour.ts', COUNT_BY_HOUR],
      ['nodes/busy.ts', BUSY],
      [
        'lib/hours.ts',
        'export const hourOf = (t: number): number => Math.floor(t / 3_600_000) * 3_600_000;\n',
      ],
      ...Object.entries(files),
    ]),
  );
}

export function check(parts: Parts = {}): Promise<readonly Issue[]> {
  return checkFolder(folderOf(parts), types, { inProcess: true });
}

/** The text of the file at an issue's place, to the end of the line. */
export function pointedAt(folder: PipelineFolder, issue: Issue | undefined): string | undefined {
  if (issue === undefined) return undefined;
  return folder.files
    .get(issue.file)
    ?.split('\n')
    [issue.line - 1]?.slice(issue.column - 1);
}

export function changed(change: (pipeline: Editable) => void): Editable {
  const pipeline = flights();
  change(pipeline);
  return pipeline;
}
