/** What the host's end of the pipes makes of a process that writes whatever it likes: F1, F2. */
import { spawn } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import { LARGEST_FRAME } from '../frames/frame-cutter.ts';
import { workerProcess } from './worker-process.ts';

const open: { kill(): void }[] = [];
afterEach(() => {
  for (const worker of open.splice(0)) worker.kill();
});

/** `code` has `frame(bytes)`, which writes a frame, and `raw(bytes)`, which writes anything, to its output. */
function hostile(code: string, onFrame: (frame: Uint8Array) => void = () => undefined) {
  const prelude = `const fs = require('node:fs');
    const raw = (bytes, fd = 1) => { for (let at = 0; at < bytes.length; ) { try { at += fs.writeSync(fd, bytes, at); } catch (e) { if (e.code !== 'EAGAIN') throw e; } } };
    const header = (length) => { const b = Buffer.alloc(4); b.writeUInt32LE(length); return b; };
    const frame = (bytes) => raw(Buffer.concat([header(bytes.length), bytes]));
    const stay = () => setInterval(() => {}, 1e6);`;
  const child = spawn(process.execPath, ['-e', prelude + code], { stdio: 'pipe' });
  const worker = workerProcess(child, { memoryMb: 64 });
  open.push(worker);
  const frames: Uint8Array[] = [];
  const exit = new Promise<Parameters<Parameters<typeof worker.onExit>[0]>[0]>((resolve) =>
    worker.onExit(resolve),
  );
  worker.onFrame((frame) => {
    frames.push(Uint8Array.from(frame));
    onFrame(frame);
  });
  return { worker, frames, exit };
}

describe('a process that writes whatever it likes', () => {
  test.each([0xffffffff, 0x80000000, LARGEST_FRAME + 1])(
    'F2: announces a frame of %i bytes: it is ended with the reason, and nothing behind it is taken',
    async (length) => {
      const before = process.memoryUsage().arrayBuffers;
      const { exit, frames } = hostile(
        `frame(Buffer.from('a')); raw(header(${length})); frame(Buffer.from('b')); stay();`,
      );
      const { signal, reason } = await exit;
      expect(signal).toBe('SIGKILL');
      expect(reason).toContain(`a frame of ${length} bytes`);
      expect(frames.map((frame) => Buffer.from(frame).toString())).toEqual(['a']);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(LARGEST_FRAME);
    },
  );

  test.each([
    ['inside a header', 'raw(Buffer.from([9, 0]));'],
    ['inside a frame', `raw(header(9)); raw(Buffer.from('half'));`],
  ])('F2: ends %s: the half is dropped and said', async (_, code) => {
    const { exit, frames } = hostile(`frame(Buffer.from('whole'));${code}`);
    expect((await exit).reason).toBe('its output ended inside a frame');
    expect(frames).toHaveLength(1);
  });

  test('F1: the halves of two frames, one within the other, are the bytes they are and mix with nobody', async () => {
    const interleaved = hostile(
      `raw(Buffer.concat([header(6), Buffer.from('aa'), header(2), Buffer.from('bb'), Buffer.from('aa')])); stay();`,
    );
    const honest = hostile(`for (let i = 0; i < 1000; i++) frame(Buffer.from('honest')); stay();`);
    await expect.poll(() => honest.frames.length).toBe(1000);
    expect(new Set(honest.frames.map((frame) => Buffer.from(frame).toString()))).toEqual(new Set(['honest']));
    await expect.poll(() => interleaved.frames.length).toBe(1);
    expect(Buffer.from(interleaved.frames[0] as Uint8Array)).toEqual(Buffer.from('aa\x02\0\0\0'));
    // What is left over is read as a header, and no such frame can be.
    expect((await interleaved.exit).reason).toContain('it announced a frame of 1633772130 bytes');
  });

  test('F2: a handler that refuses a frame ends the worker, not the host, and hears nothing more', async () => {
    const heard: number[] = [];
    const { exit } = hostile(
      `for (let i = 0; i < 100; i++) frame(Buffer.from([i])); stay();`,
      ([first = 0]) => {
        heard.push(first);
        if (first === 3) throw new Error('refused');
      },
    );
    expect((await exit).reason).toBe('refused');
    expect(heard).toEqual([0, 1, 2, 3]);
  });

  test('writes 100 MB to its error output: the last 64 kB are kept', async () => {
    const { exit } = hostile(
      `const b = Buffer.alloc(1 << 20, 'e'); for (let i = 0; i < 100; i++) raw(b, 2); raw(Buffer.from('the end'), 2); process.exit(3);`,
    );
    const { stderr, code } = await exit;
    expect(code).toBe(3);
    expect(stderr.length).toBeLessThanOrEqual(64 << 10);
    expect(stderr.endsWith('the end')).toBe(true);
  }, 20_000);

  test.each([
    ['once it has begun', `frame(Buffer.from('x'));`, 'it used more memory than its limit of 64 MB'],
    ['at its start', '', 'no thread could be started for it: raise the limit of processes'],
  ])('gets no more threads %s: what that means is said', async (_, begin, expected) => {
    const { exit } = hostile(
      `${begin} raw(Buffer.from('Deno could not start: unable to create worker threads.'), 2); process.exit(1);`,
    );
    expect((await exit).reason).toBe(expected);
  });

  test('closes its output and lives on, or never reads: it can be seen and ended', async () => {
    const { worker, exit, frames } = hostile(
      `frame(Buffer.from('x')); fs.closeSync(1); fs.closeSync(0); stay();`,
    );
    await expect.poll(() => frames.length).toBe(1);
    const deaf = hostile(`frame(Buffer.from('x')); stay();`);
    for (let i = 0; i < 4; i++) deaf.worker.send(new Uint8Array(1 << 20));
    expect(deaf.worker.queuedBytes).toBeGreaterThan(3 << 20);
    worker.send(new Uint8Array(1 << 20));
    worker.kill('it is deaf');
    deaf.worker.kill('it is deaf');
    expect((await exit).reason).toBe('it is deaf');
    expect((await deaf.exit).signal).toBe('SIGKILL');
  });
});
