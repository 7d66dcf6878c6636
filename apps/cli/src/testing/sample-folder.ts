import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A small pipeline for tests: flights from a file, counted by origin, into a file. */
export const countCode = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { counts: { origin: string; flights: number } }

export default computation<Inputs, Outputs, number>({
  processRecord(record, ctx) {
    const flights = (ctx.state.get() ?? 0) + 1;
    ctx.state.set(flights);
    ctx.produce('counts', { origin: ctx.key, flights });
  },
});
`;

export const pipelineJson = {
  format: 1,
  id: 'p_flights',
  name: 'Flights by origin',
  nodes: {
    n_flights: {
      type: 'injector/file',
      name: 'flights',
      config: {
        path: 'flights.jsonl',
        format: 'jsonl',
        timestamp: 'value.at',
        type: '{ origin: string; at: number }',
      },
    },
    n_count: { type: 'code', name: 'count', code: 'nodes/count.ts' },
    n_out: { type: 'sink/file', name: 'result', config: { path: 'result.jsonl' } },
  },
  streams: {
    s_1: { from: ['n_flights', 'out'], to: ['n_count', 'flights'], keyBy: 'value.origin' },
    s_2: { from: ['n_count', 'counts'], to: ['n_out', 'in'] },
  },
};

const flights = Array.from({ length: 20 }, (_, n) => JSON.stringify({ origin: `o${n % 3}`, at: n * 1_000 }));

export function countCase(flightsOfA: number): string {
  const record = { stream: 'flights', key: 'a', value: { origin: 'a', at: 1 }, timestamp: 1 };
  const expected = [1, flightsOfA].map((n) => ({ value: { origin: 'a', flights: n } }));
  return JSON.stringify({ format: 1, steps: [{ record }, { record }], expect: { counts: expected } });
}

export interface SampleFolder {
  readonly path: string;
  write(path: string, text: string): void;
  remove(): void;
}

export function sampleFolder(): SampleFolder {
  const path = mkdtempSync(join(tmpdir(), 'millrace-sample-'));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  write('pipeline.json', JSON.stringify(pipelineJson, null, 2));
  write('nodes/count.ts', countCode);
  write('tests/two.json', countCase(2));
  write('flights.jsonl', `${flights.join('\n')}\n`);
  return { path, write, remove: () => rmSync(path, { recursive: true, force: true }) };
}
