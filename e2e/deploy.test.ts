/** A changed folder, another number of workers, a stop half-way: what was counted is neither lost nor repeated. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type PipelineJson, pipelineFolder, recordsOf, tempFolder, writeFiles } from './support/folders.ts';
import { type Ended, finished, nodeOf, run, startMillrace } from './support/millrace.ts';
import { code, out, step } from './support/nodes.ts';
import { until } from './support/processes.ts';

const COUNT = 3000;

const numbers = (keyBy = 'value.k'): PipelineJson & { readonly id: string } => ({
  id: 'p_numbers',
  nodes: {
    n_in: {
      type: 'injector/generator',
      name: 'numbers',
      config: {
        value: "{ n, k: 'k' + (n % 7) }",
        type: '{ n: number; k: string }',
        rate: 1000,
        count: COUNT,
      },
    },
    n_step: code('count', 'step'),
    n_out: { ...out(), config: { path: 'out.jsonl', existing: 'replace' } },
  },
  streams: {
    s_in: { from: ['n_in', 'out'], to: ['n_step', 'in'], keyBy },
    s_out: { from: ['n_step', 'out'], to: ['n_out', 'in'] },
  },
});

const counting = (version: number) =>
  step(`const n = (ctx.state.get() ?? 0) + 1; ctx.state.set(n); ctx.map('m').set(value.n, 1);
    ctx.produce('out', { n: value.n, seen: n, size: ctx.map('m').size, v: ${version} });`);

interface Counted {
  readonly n: number;
  readonly seen: number;
  readonly size: number;
  readonly v: number;
}

const counted = (folder: string, file = 'out.jsonl') =>
  existsSync(join(folder, file))
    ? recordsOf(folder, file).map(({ key, value }) => ({ key, ...(value as Counted) }))
    : [];

function linesIn(folder: string): number {
  const path = join(folder, 'out.jsonl');
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
}

/** Every number once, and the counts of each key without a gap. */
function expectContinuous(folder: string): void {
  const seen = new Map<string, number>();
  const found = counted(folder);
  for (const { key, n, seen: count, size } of found) {
    expect(key).toBe(`k${n % 7}`);
    seen.set(key, (seen.get(key) ?? 0) + 1);
    expect([count, size]).toEqual([seen.get(key), seen.get(key)]);
  }
  expect(found.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual([...Array(COUNT).keys()]);
}

async function runUntil(
  folder: string,
  args: readonly string[],
  lines: number,
  signal: NodeJS.Signals,
): Promise<Ended> {
  const running = startMillrace(['run', folder, '--json', ...args]);
  const there = await until(() => linesIn(folder) >= lines, running.ended);
  if (!there) throw new Error(`over before ${lines} lines: ${(await running.ended).stderr}`);
  running.kill(signal);
  return running.ended;
}

const write = (folder: string, pipeline: PipelineJson) =>
  writeFileSync(
    join(folder, 'pipeline.json'),
    JSON.stringify({ format: 1, name: 'numbers', parameters: {}, ...pipeline }),
  );

describe('one pipeline under one data folder', () => {
  it('Y1, Y5, G1: drained, spread over other workers, killed, renamed, extended, refused and taken up again, it counts on', async () => {
    const data = ['--data', tempFolder('data')];
    const folder = await pipelineFolder(numbers(), { 'nodes/step.ts': counting(1) });

    const drained = await runUntil(folder, data, 200, 'SIGTERM');
    expect([drained.code, drained.summary.kind, drained.summary.ok]).toEqual([0, 'drained', true]);
    expect(drained.stderr).toContain('Draining');
    // What was taken in is through: nothing waits in between.
    expect(linesIn(folder)).toBe(nodeOf(drained.summary, 'n_step').in);

    const killed = await runUntil(folder, [...data, '--workers', '3'], 700, 'SIGKILL');
    expect(killed.signal).toBe('SIGKILL');

    const renamed = numbers();
    write(folder, {
      ...renamed,
      nodes: { ...renamed.nodes, n_step: code('another name', 'step'), n_too: out('too.jsonl') },
      streams: { ...renamed.streams, s_too: { from: ['n_step', 'out'], to: ['n_too', 'in'] } },
    });
    await writeFiles(folder, { 'nodes/step.ts': counting(2) });
    const changed = await runUntil(folder, [...data, '--workers', '2'], 1300, 'SIGTERM');
    expect(changed.code).toBe(0);
    expect(changed.stderr).toMatch(/another name +changed +.*(code|name).*state stays/);
    expect(changed.stderr).toMatch(/to too\.jsonl +new/);

    const { id } = numbers();
    write(folder, { ...numbers('value.n % 3'), id });
    const before = linesIn(folder);
    const refused = await run(folder, data);
    expect(refused.code).toBe(3);
    expect(refused.summary).toMatchObject({ ok: false, kind: 'state-would-go' });
    expect(refused.stderr).toMatch(/count +incompatible +.*keyBy.*its state would go/);
    expect(refused.stderr).toContain('--drop-state');
    expect(linesIn(folder)).toBe(before);

    write(folder, numbers());
    const { summary } = await finished(run(folder, [...data, '--workers', '1']));
    expectContinuous(folder);
    expect(nodeOf(summary, 'n_step')).toMatchObject({ in: COUNT, deadLettered: 0, waiting: 0 });
    const versions = counted(folder).map(({ v }) => v);
    expect(new Set(versions)).toEqual(new Set([1, 2]));
    // W12: a new consumer sees what is produced after the deploy, and all of that.
    const too = counted(folder, 'too.jsonl');
    expect(too.length).toBeGreaterThan(0);
    expect(too.every(({ v }) => v === 2)).toBe(true);
  });

  it('Y2: --drop-state agrees that the counts go; --fresh begins anew', async () => {
    const data = ['--data', tempFolder('data')];
    const folder = await pipelineFolder(numbers(), { 'nodes/step.ts': counting(1) });
    await runUntil(folder, data, 500, 'SIGTERM');
    const before = linesIn(folder);
    write(folder, numbers('value.n % 3'));
    const { stderr } = await finished(run(folder, [...data, '--drop-state']));
    expect(stderr).toContain('incompatible');
    const found = counted(folder);
    expect(found.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual([...Array(COUNT).keys()]);
    const seen = new Map<string, number>();
    for (const { key, n, seen: count, size } of found.slice(before)) {
      expect(key).toBe(String(n % 3));
      seen.set(key, (seen.get(key) ?? 0) + 1);
      expect([count, size]).toEqual([seen.get(key), seen.get(key)]);
    }

    write(folder, numbers());
    const again = await finished(run(folder, [...data, '--fresh', '--workers', '2']));
    expectContinuous(folder);
    expect(nodeOf(again.summary, 'n_step').in).toBe(COUNT);
    // All is read: the same again has nothing to do, and changes nothing.
    await finished(run(folder, data));
    expectContinuous(folder);
  });
});
