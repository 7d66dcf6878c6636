/** What is wrong around a pipeline: its graph, its folders, its database. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  pipelineFolder,
  pipelineText,
  recordsOf,
  rows,
  serverPid,
  sharedData,
  tempFolder,
} from '../support/folders.ts';
import { finished, millrace, nodeOf, run, startMillrace } from '../support/millrace.ts';
import { COUNTING, chain, code, file, jsonLines, out, step } from '../support/nodes.ts';
import { killWhenThere, sizeOf, until } from '../support/processes.ts';

const data = sharedData();
const flags = ['--data', data.path];

describe('the graph', () => {
  it('G3: check tells a cycle, a dangling input, a double name, an unknown type and a missing setting at once, with places', async () => {
    const folder = await pipelineFolder(
      {
        nodes: {
          n_in: { type: 'injector/file', name: 'input', config: { format: 'jsonl' } },
          n_a: code('same', 'a'),
          n_b: code('same', 'b'),
          n_c: { type: 'operator/nonsense', name: 'odd', config: {} },
          n_out: out(),
        },
        streams: {
          s_1: { from: ['n_a', 'out'], to: ['n_b', 'in'] },
          s_2: { from: ['n_b', 'out'], to: ['n_a', 'in'] },
          s_3: { from: ['n_gone', 'out'], to: ['n_out', 'in'] },
        },
      },
      { 'nodes/a.ts': step(`ctx.produce('out', 1);`), 'nodes/b.ts': step(`ctx.produce('nowhere', 1);`) },
    );
    const text = await millrace(['check', folder]);
    expect(text.code).toBe(1);
    for (const said of [/same/, /nonsense/, /config\.path|'path'/, /n_gone/])
      expect(text.stdout).toMatch(said);
    expect(text.stdout).toMatch(/cycle.*(n_a|same).*(n_b|same)/);
    for (const line of text.stdout.split('\n').filter((l) => l.includes('error')))
      expect(line).toMatch(/(pipeline\.json|nodes\/\w+\.ts):\d+:\d+: error: /);
    const json = await millrace(['check', folder, '--json']);
    expect(json.code).toBe(1);
    expect(json.summary.ok).toBe(false);
    expect(json.summary.issues?.length).toBeGreaterThanOrEqual(5);
    // `run` refuses with the same issues and touches nothing.
    const refused = await run(folder, []);
    expect(refused.code).toBe(1);
    expect(refused.summary.kind).toBe('issues');
    expect(existsSync(join(folder, '.millrace'))).toBe(false);
  });

  it('an unknown format version, or no JSON, is said with the file and what to do', async () => {
    const folder = await pipelineFolder(chain());
    writeFileSync(join(folder, 'pipeline.json'), pipelineText(chain()).replace('"format": 1', '"format": 7'));
    const unknown = await millrace(['check', folder]);
    expect(unknown.code).toBe(1);
    expect(unknown.stdout).toMatch(/pipeline\.json:\d+:\d+: error: .*format.*7/);
    writeFileSync(join(folder, 'pipeline.json'), '{ "format": 1,, }');
    const broken = await millrace(['check', folder]);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/pipeline\.json:1:15: error: /);
  });
});

describe('the command line', () => {
  it('exits 2 on what it does not know, 3 where there is nothing to run, and says what to do', async () => {
    const folder = await pipelineFolder(chain());
    const cases: readonly (readonly [string[], number, RegExp])[] = [
      [['run', folder, '--mode', 'discretized'], 2, /--mode discretized: not in this version/],
      [['run', folder, '--mode', 'odd'], 2, /continuous or discretized/],
      [['run'], 2, /folder/],
      [['run', folder, '--workers', '0'], 2, /1 to 64/],
      [['run', folder, '--nonsense'], 2, /nonsense/],
      [['deploy', folder], 2, /MILLRACE_TOKEN/],
      [['backup'], 2, /not in this version/],
      [['nonsense'], 2, /unknown command/],
      [['run', join(folder, 'absent')], 3, /absent cannot be read: there is no such file or folder/],
    ];
    const ended = await Promise.all(cases.map(([args]) => millrace(args)));
    for (const [i, [args, exit, said]] of cases.entries()) {
      expect({ args, exit: ended[i]?.code }).toEqual({ args, exit });
      expect(ended[i]?.stderr).toMatch(said);
      expect(ended[i]?.stdout).toBe('');
    }
  });
});

describe('paths', () => {
  it('a file that is absent, a path that cannot be written: the run fails, naming node, path and remedy', async () => {
    const files = { 'in.jsonl': '{"n":1}\n', 'nodes/step.ts': step(COUNTING) };
    const base = chain({ input: { type: '{ n: number }' } });
    const withSink = (path: string) => ({
      ...base,
      nodes: { ...base.nodes, n_out: { type: 'sink/file', name: 'result', config: { path } } },
    });
    const folder = await pipelineFolder(withSink('no/such/folder/out.jsonl'), files);
    const unwritable = await run(folder, flags);
    expect(unwritable.code).toBe(3);
    expect(unwritable.summary.error).toMatch(/"result".*no\/such\/folder.*(folder|make)/);
    const absent = {
      ...base,
      nodes: { ...base.nodes, n_in: { ...file('gone.jsonl', { type: '{ n: number }' }), name: 'input' } },
    };
    writeFileSync(join(folder, 'pipeline.json'), pipelineText(absent));
    const gone = await run(folder, flags);
    expect([gone.code, gone.summary.error]).toEqual([3, expect.stringMatching(/"input".*gone\.jsonl/)]);
    expect(gone.summary.error?.length).toBeGreaterThan(40);
  });

  it('links in the folder that lead out of it are no part of the pipeline, whatever they point to', async () => {
    const folder = await pipelineFolder(chain(), { 'in.jsonl': '{}\n', 'lib/x.ts': 'export const x = 1;' });
    mkdirSync(join(folder, 'nodes'));
    symlinkSync('/etc/hostname', join(folder, 'nodes/step.ts'));
    symlinkSync('../../../../etc', join(folder, 'lib/etc'));
    const { code: exit, summary, stderr } = await run(folder, flags);
    expect(exit).toBe(1);
    expect(summary.issues?.map(({ message }) => message).join('\n')).toContain(
      'leads out of the pipeline folder',
    );
    expect(stderr).toContain('nodes/step.ts');
    expect(stderr).not.toContain(`${readFileSync('/etc/hostname', 'utf8').trim()}\n`);
  });
});

/** A run that lasts: `count` records at `rate` a second. */
const slowly = (rate: number, count: number) =>
  pipelineFolder(
    {
      nodes: {
        n_in: {
          type: 'injector/generator',
          name: 'input',
          config: { value: "{ n, k: 'k' + (n % 7) }", type: '{ n: number; k: string }', rate, count },
        },
        n_step: code('step', 'step'),
        n_out: out(),
        n_table: {
          type: 'sink/postgres',
          name: 'table',
          config: { table: `slow_${count}`, columns: { n: { from: 'value.n', type: 'bigint' } } },
        },
      },
      streams: {
        s_in: { from: ['n_in', 'out'], to: ['n_step', 'in'], keyBy: 'value.k' },
        s_out: { from: ['n_step', 'out'], to: ['n_out', 'in'] },
        s_table: { from: ['n_step', 'out'], to: ['n_table', 'in'] },
      },
    },
    { 'nodes/step.ts': step(COUNTING) },
  );

function expectCounted(folder: string, count: number): void {
  const seen = new Map<string, number>();
  for (const { key, value } of recordsOf(folder)) {
    const next = (seen.get(key) ?? 0) + 1;
    expect((value as { seen: number }).seen).toBe(next);
    seen.set(key, next);
  }
  expect([...seen.values()].reduce((sum, n) => sum + n, 0)).toBe(count);
}

describe('the database', () => {
  it('a data directory in use is refused with the process that has it, and that one goes on', async () => {
    const own = tempFolder('data');
    const folder = await slowly(400, 1_000_000);
    const first = startMillrace(['run', folder, '--json', '--data', own]);
    expect(await until(() => sizeOf(join(folder, 'out.jsonl')) > 0, first.ended)).toBe(true);
    const second = await run(await slowly(1000, 1), ['--data', own]);
    expect(second.code).toBe(3);
    expect(second.stderr).toContain(`is in use by pid ${first.pid}`);
    expect(second.stderr).toMatch(/Stop that process, or use another one/);
    first.kill('SIGTERM');
    const { code: exit, summary } = await first.ended;
    expect([exit, summary.kind]).toEqual([0, 'drained']);
    expectCounted(folder, nodeOf(summary, 'n_step').in);
  });

  it('Y5: Postgres stopped for seconds under load, then killed: the run waits, says so, and counts each record once', async () => {
    const own = tempFolder('data');
    const folder = await slowly(500, 2500);
    const running = startMillrace(['run', folder, '--json', '--data', own, '--workers', '2']);
    expect(await until(() => recordsIn(folder) > 200, running.ended)).toBe(true);
    const pids = serverProcesses(own);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    await sleep(4_000);
    for (const pid of pids) process.kill(pid, 'SIGCONT');
    expect(await until(() => recordsIn(folder) > 1000, running.ended)).toBe(true);
    await killWhenThere(() => serverPid(own));
    const { summary } = await finished(running.ended);
    expectCounted(folder, 2500);
    const [table] = await rows(
      own,
      'select count(*)::int as all, count(distinct n)::int as different from data.slow_2500',
    );
    expect(table).toEqual({ all: 2500, different: 2500 });
    expect(nodeOf(summary, 'n_step')).toMatchObject({ in: 2500, deadLettered: 0, waiting: 0 });
  });

  it('a disk that is full for the log: the run waits and says what to do, and goes on when there is room', async ({
    skip,
  }) => {
    const own = tempFolder('full');
    if (!mounted(own)) {
      console.warn('SKIPPED: a small disk cannot be mounted here (not root); a full disk is not tested.');
      skip();
    }
    try {
      chmodSync(own, 0o755);
      const folder = await pipelineFolder(
        chain({ input: { type: '{ n: number; k: string; pad: string }' }, keyBy: 'value.k' }),
        {
          'in.jsonl': jsonLines(
            Array.from({ length: 3000 }, (_, n) => ({ n, k: `k${n}`, pad: 'x'.repeat(2000) })),
          ),
          'nodes/step.ts': step(
            `ctx.state.set(value.pad + ctx.random()); ctx.produce('out', { n: value.n, seen: 1 });`,
          ),
        },
      );
      const running = startMillrace(['run', folder, '--json', '--data', own]);
      expect(await until(() => recordsIn(folder) > 0, running.ended)).toBe(true);
      execFileSync('sh', ['-c', `dd if=/dev/zero of=${own}/ballast bs=64k 2>/dev/null || true`]);
      await running.said(
        /(no disk space left|disk it lies on is full|No space left on device).*(F|f)ree some/,
      );
      execFileSync('rm', [`${own}/ballast`]);
      await finished(running.ended);
      expect(recordsOf(folder)).toHaveLength(3000);
      expect(new Set(recordsOf(folder).map(({ key }) => key)).size).toBe(3000);
    } finally {
      execFileSync('sh', [
        '-c',
        `for p in $(cat ${own}/postgres/postmaster.pid 2>/dev/null | head -1); do kill -QUIT $p; sleep 1; done; umount -l ${own}`,
      ]);
    }
  });
});

function recordsIn(folder: string): number {
  const path = join(folder, 'out.jsonl');
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
}

/** The postmaster and everything it started. */
function serverProcesses(own: string): number[] {
  const postmaster = serverPid(own) ?? 0;
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' });
  return [
    postmaster,
    ...children
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0),
  ];
}

function mounted(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=120m,mode=755', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
