import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { FrameCutter, LARGEST_FRAME } from './frames/frame-cutter.ts';
import { denoBinary } from './launch/deno-binary.ts';
import { othersMayRead, readableByAll } from './launch/readable-copy.ts';
import { createWorkerLauncher } from './launcher.ts';
import { buildProbe, openProbe } from './testing/probe.ts';

const boot = buildProbe();
const launcher = createWorkerLauncher({ bootFile: boot });
afterAll(() => launcher.close());

const scratch = mkdtempSync(path.join(os.tmpdir(), 'millrace-sandbox-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const onLinux = process.platform === 'linux';
const asRoot = onLinux && process.getuid?.() === 0;

describe('frames', () => {
  test('F1: frames of every size come back whole and in order', async () => {
    const probe = await openProbe(launcher);
    const sizes = [0, 1, 3, 4, 5, 65_531, 65_536, 65_537, 262_139, 262_144, 300_000, 5_000_000];
    const received: Uint8Array[] = [];
    const all = new Promise<void>((resolve) =>
      probe.worker.onFrame((frame) => {
        received.push(Uint8Array.from(frame));
        if (received.length === sizes.length) resolve();
      }),
    );
    for (const [i, size] of sizes.entries())
      probe.worker.send(Buffer.concat([Buffer.from('e'), Buffer.alloc(size, i + 1)]));
    await all;
    expect(received.map((frame) => frame.length)).toEqual(sizes);
    expect(received.every((frame, i) => frame.every((byte) => byte === i + 1))).toBe(true);
    probe.worker.kill();
    await probe.exit;
  });

  test('F1: frames cut anywhere are put together again', () => {
    const frames = [Buffer.from('abc'), Buffer.alloc(0), Buffer.alloc(1000, 7)];
    const wire = Buffer.concat(frames.flatMap((f) => [Buffer.from(Uint32Array.of(f.length).buffer), f]));
    for (let step = 1; step < 12; step++) {
      const out: Buffer[] = [];
      const cutter = new FrameCutter((frame) => out.push(Buffer.from(frame)));
      for (let at = 0; at < wire.length; at += step) cutter.push(wire.subarray(at, at + step));
      expect(Buffer.concat(out).equals(Buffer.concat(frames))).toBe(true);
      expect(out.length).toBe(3);
      expect(cutter.clean).toBe(true);
    }
  });

  test('F2: a worker that sends an oversized frame is ended, with the reason', async () => {
    const probe = await openProbe(launcher, 512);
    probe.worker.send(Buffer.from(`s${LARGEST_FRAME + 1}`));
    const exit = await probe.exit;
    expect(exit.signal).toBe('SIGKILL');
    expect(exit.reason).toContain(`frame of ${LARGEST_FRAME + 1} bytes`);
  });

  test('a frame over the limit is not sent', async () => {
    const probe = await openProbe(launcher);
    expect(() => probe.worker.send(new Uint8Array(LARGEST_FRAME + 1))).toThrow(/over the limit/);
    probe.worker.kill('enough');
    expect((await probe.exit).reason).toBe('enough');
  });
});

describe('the process', () => {
  test('P8: a frame sent before a handler loops for ever has left, and input is read while a handler waits', async () => {
    const probe = await openProbe(launcher);
    void probe.ask('r', 'export default () => new Promise(() => {})');
    expect(await probe.ask('e', 'still reading')).toBe('still reading');
    const looping = probe.ask('r', 'export default () => { for (;;); }');
    await expect.poll(() => probe.heard.filter((frame) => frame === 'started').length).toBe(2);
    if (onLinux) {
      const before = probe.worker.processorMs?.() as number;
      await expect.poll(() => probe.worker.processorMs?.()).toBeGreaterThan(before + 100);
    }
    probe.worker.kill('no progress for 5 s');
    expect(await looping).toContain('SIGKILL (no progress for 5 s)');
  });

  test('P8: a handler cannot sleep: it would look like one that is given no processor', async () => {
    const probe = await openProbe(launcher);
    const code = 'export default () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';
    expect(await probe.ask('r', code)).toContain('Atomics.wait would stop the whole worker');
    probe.worker.kill();
  });

  test('B4: a promise nobody awaits and an error in a timer end nothing', async () => {
    const probe = await openProbe(launcher);
    const code = `export default async () => { Promise.reject(new Error('lost')); setTimeout(() => { throw new Error('late') }, 0); await new Promise(r => setTimeout(r, 20)); return 'alive' }`;
    expect(await probe.ask('r', code)).toBe('ok: alive');
    probe.worker.kill();
    expect((await probe.exit).stderr).toMatch(/lost[\s\S]*late/);
  });

  test('a heap bomb ends this worker only, with the reason; ArrayBuffers fail in the handler or end it likewise', async () => {
    const [bomb, other] = [await openProbe(launcher, 64), await openProbe(launcher, 64)];
    const buffers = 'export default () => { const a = []; for (;;) a.push(new Uint8Array(1e7).fill(1)) }';
    if (onLinux)
      expect(await bomb.ask('r', buffers)).toMatch(/^error: RangeError|used more memory than its limit/);
    const answer = await bomb.ask('r', 'export default () => { const a = []; for (;;) a.push({ a }) }');
    expect(answer).toContain('it used more memory than its limit of 64 MB');
    expect(await other.ask('e', 'fine')).toBe('fine');
    other.worker.kill();
  });

  test('it has no environment, an uninviting working folder, and ends when its input does', async () => {
    const probe = await openProbe(launcher);
    await probe.ask('e', 'x');
    if (onLinux) {
      const environment = readFileSync(`/proc/${probe.worker.pid}/environ`, 'utf8')
        .split('\0')
        .filter(Boolean);
      expect(environment.map((line) => line.split('=')[0]).sort()).toEqual([
        'DENO_DIR',
        'DENO_NO_UPDATE_CHECK',
        'NO_COLOR',
        'PATH',
      ]);
    }
    probe.worker.kill();
    await probe.exit;
  });

  test.runIf(onLinux)(
    'no privileges, no cores, few files; as root another user and no capabilities',
    async () => {
      const probe = await openProbe(launcher);
      await probe.ask('e', 'x');
      const status = readFileSync(`/proc/${probe.worker.pid}/status`, 'utf8');
      const limits = readFileSync(`/proc/${probe.worker.pid}/limits`, 'utf8');
      expect(status).toMatch(/NoNewPrivs:\t1/);
      expect(limits).toMatch(/Max core file size\s+0\s+0/);
      expect(limits).toMatch(/Max open files\s+64\s+64/);
      expect(limits).toMatch(/Max data size\s+\d+\s+\d+\s+bytes/);
      if (asRoot) {
        expect(status).toMatch(/Uid:\t(6[1-4]\d\d\d)\t\1\t\1\t\1/);
        expect(status).toMatch(/CapEff:\t0+\n/);
        expect(status).toMatch(/CapBnd:\t0+\n/);
        expect(status).toMatch(/Groups:\t ?\n/);
      }
      probe.worker.kill();
      await probe.exit;
    },
  );

  test('Y5: a killed host takes its workers with it, even one that loops', async () => {
    const built = buildHost();
    try {
      const { host, pid } = await startHost(built);
      expect(isAlive(pid)).toBe(true);
      host.kill('SIGKILL');
      await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
    } finally {
      rmSync(built, { force: true });
    }
  });
});

// Where only root may enter the repository, an ordinary user can start nothing from it: there is nothing to test.
const reachable = othersMayRead(import.meta.filename);
if (asRoot && !reachable)
  console.warn('SKIPPED: the sandbox as an ordinary user: only root may enter this folder');

describe('as an ordinary user', () => {
  test.runIf(asRoot && reachable)(
    'workers start behind the walls such a user may build, and end with the host',
    async () => {
      const built = buildHost();
      try {
        const { host, pid } = await startHost(built, 65_534);
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        expect(status).toMatch(/Uid:\t65534/);
        expect(status).toMatch(/NoNewPrivs:\t1/);
        host.kill('SIGKILL');
        await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
      } finally {
        rmSync(built, { force: true });
      }
    },
  );
});

describe('finding what to run', () => {
  test('without a binary the message names the machine, the package and the remedy', () => {
    expect(() => denoBinary('linux-x64-musl')).toThrow(
      /@deno\/linux-x64-musl[\s\S]*musl[\s\S]*glibc-based image/,
    );
  });

  test.runIf(asRoot)(
    'as root, a file that others cannot reach is copied once to a folder only root writes',
    () => {
      const shut = path.join(scratch, 'shut');
      mkdirSync(shut, { mode: 0o700 });
      const file = path.join(shut, 'program');
      writeFileSync(file, 'x', { mode: 0o755 });
      const cache = path.join(scratch, 'cache');
      chmodSync(scratch, 0o755);
      const copy = readableByAll(file, 'program-1', [cache]);
      expect(copy).toBe(path.join(cache, 'program-1'));
      expect(othersMayRead(copy)).toBe(true);
      chmodSync(cache, 0o777);
      expect(() => readableByAll(file, 'program-1', [cache])).toThrow(/only root can write/);
    },
  );
});

/** A host of its own process, with one worker that loops; prints the worker's pid. */
function buildHost(): string {
  const here = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));
  const folder = fileURLToPath(new URL('..', import.meta.url));
  // Inside the package, so that its imports resolve; among what is built, so that no lint reads it.
  const outfile = path.join(folder, 'dist', `host-of-test-${process.pid}.mjs`);
  buildSync({
    stdin: {
      contents: `import { createWorkerLauncher } from ${here('./launcher.ts')};
        import { openProbe } from ${here('./testing/probe.ts')};
        const probe = await openProbe(createWorkerLauncher({ bootFile: ${JSON.stringify(boot)} }));
        void probe.ask('r', 'export default () => { for (;;); }');
        const timer = setInterval(() => {
          if (!probe.heard.includes('started')) return;
          clearInterval(timer);
          console.log(probe.worker.pid);
        }, 5);
        setInterval(() => {}, 1000);`,
      resolveDir: folder,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    absWorkingDir: folder,
    conditions: ['millrace-source'],
  });
  return outfile;
}

async function startHost(file: string, uid?: number): Promise<{ host: ChildProcess; pid: number }> {
  const host = spawn(process.execPath, [file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    ...(uid !== undefined && { uid, gid: uid }),
  });
  const line = await new Promise<string>((resolve) => host.stdout?.once('data', (d) => resolve(String(d))));
  return { host, pid: Number(line) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !onLinux || !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
