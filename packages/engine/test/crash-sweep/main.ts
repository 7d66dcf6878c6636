/** `npm run sweep -- [--runs 200] [--seed 1] [--parallel 2] [--control name] [--keep]` */
import { parseArgs } from 'node:util';
import { FAULT_CONTROLS, type FaultControl } from '@millrace/engine';
import { sweepOnce } from './sweep-run.ts';
import { describe } from './sweep-scenario.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    parallel: { type: 'string', default: '2' },
    control: { type: 'string', multiple: true, default: [] },
    keep: { type: 'boolean', default: false },
    bin: { type: 'string' },
  },
});
const runs = Number(values.runs);
const first = Number(values.seed);
const controls = values.control.map((name) => {
  if (!FAULT_CONTROLS.includes(name as FaultControl))
    throw new Error(`--control ${name}: give one of ${FAULT_CONTROLS.join(', ')}.`);
  return name as FaultControl;
});
if (values.bin === undefined) throw new Error('--bin: give the path of millrace.mjs.');
const bin = values.bin;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

let next = first;
let failed = 0;
const kills = new Map<string, number>();
await Promise.all(Array.from({ length: Number(values.parallel) }, lane));
console.log(
  `${runs - failed} of ${runs} runs passed; killed: ${[...kills].map(([victim, n]) => `${n} × ${victim}`).join(', ')}`,
);
process.exitCode = failed === 0 ? 0 : 1;

async function lane(): Promise<void> {
  while (next < first + runs) {
    const result = await sweepOnce({
      bin,
      seed: next++,
      controls,
      keep: values.keep ? 'always' : 'on-problems',
    });
    for (const victim of result.killed) kills.set(victim, (kills.get(victim) ?? 0) + 1);
    const { seed, problems, seconds, killed } = result;
    console.log(
      `seed ${seed}: ${problems.length === 0 ? 'passed' : 'FAILED'}, killed ${killed.join(', ') || 'nobody'}, ${seconds.toFixed(1)} s`,
    );
    if (problems.length === 0) continue;
    failed++;
    const control = controls.map((name) => ` --control ${name}`).join('');
    console.log(describe(result.scenario));
    for (const problem of problems) console.log(`  ${problem}`);
    console.log(`  kept in ${result.folder}\n  rerun: npm run sweep -- --runs 1 --seed ${seed}${control}`);
  }
}
