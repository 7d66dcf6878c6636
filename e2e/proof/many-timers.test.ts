/** R31, R129: as many timers as there are keys, all due at one instant: stopped in the middle of them, none is lost. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pipelineFolder, recordsOf, tempFolder } from '../support/folders.ts';
import { finished, nodeOf, startMillrace } from '../support/millrace.ts';
import { sizeOf, until } from '../support/processes.ts';

const KEYS = 100_000;
const DUE = 1_000;
/** Slow enough that a stop comes while they fire. */
const CODE = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { rung: { key: string } }

export default computation<Inputs, Outputs, unknown, { timers: 'bell' }>({
  processRecord(_record, ctx) {
    ctx.setTimer('bell', ${DUE});
  },
  processTimer(_timer, ctx) {
    for (let i = 0, x = 1; i < 20_000; i++) if ((x = Math.imul(x, 31) + i) === 7.5) throw new Error();
    ctx.produce('rung', { key: ctx.key });
  },
});
`;

it('R31, R129: stopped at once while 100,000 timers are due, the rest fire later, each once', async () => {
  const folder = await pipelineFolder(
    {
      nodes: {
        n_in: {
          type: 'injector/generator',
          name: 'keys',
          config: {
            value: '{ n }',
            type: '{ n: number }',
            count: KEYS,
            rate: 1_000_000,
            timestamp: 'value.n % 999',
          },
        },
        n_bells: { type: 'code', name: 'bells', code: 'nodes/bells.ts' },
        n_out: { type: 'sink/file', name: 'rung', config: { path: 'rung.jsonl' } },
      },
      streams: {
        s_1: { from: ['n_in', 'out'], to: ['n_bells', 'in'], keyBy: 'value.n' },
        s_2: { from: ['n_bells', 'rung'], to: ['n_out', 'in'] },
      },
    },
    { 'nodes/bells.ts': CODE },
  );
  const rung = join(folder, 'rung.jsonl');
  const args = ['run', folder, '--json', '--data', tempFolder('data'), '--workers', '2'];
  const first = startMillrace(args);
  await until(() => sizeOf(rung) > 0, first.ended);
  // A stop finishes what is due; a second one is the one that does not wait.
  first.kill('SIGTERM');
  await first.said('Once more stops at once');
  first.kill('SIGTERM');
  const stopped = await first.ended;
  expect(stopped.signal).toBe(null);
  const before = recordsOf(folder, 'rung.jsonl').length;
  const { summary } = await finished(startMillrace(args).ended);
  const all = recordsOf(folder, 'rung.jsonl');
  expect(all.every(({ timestamp }) => timestamp === DUE)).toBe(true);
  expect(new Set(all.map(({ key }) => key)).size).toBe(KEYS);
  expect(all).toHaveLength(KEYS);
  expect(nodeOf(summary, 'n_bells')).toMatchObject({ in: KEYS, waiting: 0, deadLettered: 0 });
  // Otherwise nothing was tested: all of them had rung, or none.
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(KEYS);
});
