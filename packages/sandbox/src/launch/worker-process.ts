/**
 * One worker process seen from the host: frames in, frames out, its end.
 *
 * Invariants
 * - F1 Frames reach the handler whole and in order; `onExit` comes after the last of them, once.
 * - F2 An oversized frame, or output that ends inside a frame, is a reason to end the worker, never an exception
 *   of the host.
 */
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { WorkerExit, WorkerProcess } from '@millrace/engine';
import { FrameCutter, HEADER_BYTES, LARGEST_FRAME } from '../frames/frame-cutter.ts';
import { processorTimeMs } from './processor-time.ts';

const STDERR_BYTES = 64 << 10;

export interface WorkerLimits {
  readonly memoryMb: number;
}

export function workerProcess(child: ChildProcess, limits: WorkerLimits): WorkerProcess {
  const stdin = child.stdin as Writable;
  const stdout = child.stdout as Readable;
  const stderr = tailOf(child.stderr as Readable);
  let frameHandler: ((frame: Uint8Array) => void) | undefined;
  const exitHandlers: ((exit: WorkerExit) => void)[] = [];
  let exit: WorkerExit | undefined;
  let reason: string | undefined;
  let ended = false;

  const kill = (why?: string) => {
    if (ended) return;
    reason ??= why;
    child.kill('SIGKILL');
  };
  let isCorked = false;
  const uncork = () => {
    isCorked = false;
    stdin.uncork();
  };
  let begun = false;
  const cutter = new FrameCutter((frame) => {
    begun = true;
    frameHandler?.(frame);
  });
  // A worker that has ended takes no more input: its exit says so.
  stdin.on('error', () => undefined);
  stdout.on('error', () => undefined);
  stdout.pause();
  stdout.on('data', (chunk: Buffer) => {
    if (reason !== undefined) return;
    try {
      cutter.push(chunk);
    } catch (error) {
      kill((error as Error).message);
    }
  });
  // Only a handler for frames makes the output flow, so the end cannot overtake them.
  child.on('exit', () => {
    ended = true;
    if (!frameHandler) stdout.resume();
  });
  child.on('close', (code, signal) => {
    ended = true;
    if (!cutter.clean && reason === undefined)
      reason = explain(stderr(), limits, begun) ?? 'its output ended inside a frame';
    if (code !== 0) reason ??= explain(stderr(), limits, begun);
    exit = { code, signal, reason, stderr: stderr() };
    for (const handler of exitHandlers) handler(exit);
  });

  return {
    pid: child.pid,
    processorMs: () => processorTimeMs(child.pid),
    send(frame) {
      if (frame.length > LARGEST_FRAME)
        throw new RangeError(`a frame of ${frame.length} bytes is over the limit of ${LARGEST_FRAME}`);
      if (ended || stdin.destroyed) return;
      const header = Buffer.allocUnsafe(HEADER_BYTES);
      header.writeUInt32LE(frame.length);
      // Frames of one turn leave together: each system call wakes the worker.
      if (!isCorked) {
        isCorked = true;
        stdin.cork();
        process.nextTick(uncork);
      }
      stdin.write(header);
      if (frame.length > 0) stdin.write(frame);
    },
    get queuedBytes() {
      return stdin.writableLength;
    },
    onDrain(handler) {
      stdin.on('drain', handler);
    },
    onFrame(handler) {
      frameHandler = handler;
      stdout.resume();
    },
    onExit(handler) {
      if (exit) handler(exit);
      else exitHandlers.push(handler);
    },
    kill,
  };
}

const MEMORY =
  /out of memory|OOM|Failed to (reserve|allocate)|allocation of \d+ bytes failed|memory allocation/i;
/** Deno's words where a thread cannot be made: at its start for a limit of processes, later for want of memory. */
const NO_THREAD = /unable to create worker threads/;

function explain(stderr: string, limits: WorkerLimits, begun: boolean): string | undefined {
  const noThread = NO_THREAD.test(stderr);
  if (noThread && !begun) return 'no thread could be started for it: raise the limit of processes';
  return noThread || MEMORY.test(stderr)
    ? `it used more memory than its limit of ${limits.memoryMb} MB`
    : undefined;
}

/** The last bytes only: a worker may write without end. */
function tailOf(stream: Readable): () => string {
  let chunks: Buffer[] = [];
  let size = 0;
  stream.on('error', () => undefined);
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > 2 * STDERR_BYTES) {
      chunks = [Buffer.concat(chunks).subarray(-STDERR_BYTES)];
      size = STDERR_BYTES;
    }
  });
  return () => Buffer.concat(chunks).subarray(-STDERR_BYTES).toString('utf8');
}
