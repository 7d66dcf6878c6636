/**
 * sink/file: one line per record, exactly once (P7).
 *
 * Owns the file from `open` to `close` under a host lock. Does not own the mark: that is committed through the
 * context, under the host's lease.
 *
 * Invariants
 *   - Bytes are appended and synced before the mark that covers them is committed. So a committed length never
 *     exceeds what is on disk, and bytes beyond it were never acknowledged: they are cut off at the next open.
 *   - A new sink commits the length it starts from before it writes its first byte; nothing that was in the
 *     file before is ever cut.
 *   - A file that is shorter than its mark, or another one, is never written to.
 *   - After a failed sync or commit nothing more is written; only a new open, which looks again, goes on.
 */
import type { FileHandle } from 'node:fs/promises';
import { stat } from 'node:fs/promises';
import type { OpenSink, SinkBatch, SinkConnector, SinkContext } from '@millrace/engine';
import { ConnectorError, errorCode, errorMessage } from '../shared/connector-error.ts';
import { say } from '../shared/logging.ts';
import { readSettings } from '../shared/settings.ts';
import { backOffMs, wait } from '../shared/wait.ts';
import { type CommittedFile, digest, extendTail } from './committed-file.ts';
import { fileSinkConfig } from './spec.ts';
import { type OwnedFile, takeFile } from './take-file.ts';

const NEWLINE = 0x0a;

export const fileSink: SinkConnector = {
  egress: 'text',
  async open(config, context): Promise<OpenSink> {
    const { path, existing = 'append' } = readSettings(fileSinkConfig, config, context);
    return new FileSink(context, path, await takeFile(context, path, existing));
  },
};

class FileSink implements OpenSink {
  readonly #context: SinkContext;
  readonly #path: string;
  readonly #file: OwnedFile;
  #through: number;
  #length: number;
  #tail: Uint8Array;
  #state: 'ready' | 'failed' | 'closed' = 'ready';

  constructor(context: SinkContext, path: string, file: OwnedFile) {
    this.#context = context;
    this.#path = path;
    this.#file = file;
    this.#through = file.through;
    this.#length = file.length;
    this.#tail = file.tail;
  }

  get through(): number {
    return this.#through;
  }

  async deliver(batch: SinkBatch, signal: AbortSignal): Promise<{ readonly rejected: number }> {
    if (this.#state !== 'ready') throw this.#fault(this.#state, 'it is no longer open.', 'Open it again.');
    if (batch.through <= this.#through) return { rejected: 0 };
    try {
      const lines = this.#linesOf(batch);
      await this.#refuseChanged();
      await this.#append(lines, signal);
      const length = this.#length + lines.length;
      const tail = extendTail(this.#tail, lines);
      await this.#context.commit({ through: batch.through, detail: this.#detail(length, tail) }, []);
      this.#through = batch.through;
      this.#length = length;
      this.#tail = tail;
      return { rejected: 0 };
    } catch (error) {
      this.#state = 'failed';
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    await this.#file.release();
  }

  #detail(length: number, tail: Uint8Array): CommittedFile {
    const { dev, ino } = this.#file;
    return { length, dev: String(dev), ino: String(ino), tail: digest(tail) };
  }

  #linesOf(batch: SinkBatch): Uint8Array {
    const texts = (batch.texts ?? []).filter(({ position }) => position > this.#through);
    const size = texts.reduce((sum, { bytes }) => sum + bytes.length, 0);
    // What somebody else wrote may end in the middle of a line.
    const torn = size > 0 && this.#tail.length > 0 && this.#tail.at(-1) !== NEWLINE ? 1 : 0;
    const lines = new Uint8Array(torn + size);
    let end = torn;
    if (torn === 1) lines[0] = NEWLINE;
    for (const { bytes } of texts) {
      lines.set(bytes, end);
      end += bytes.length;
    }
    return lines;
  }

  /** Somebody may have truncated, rotated or written to the file while we hold it. */
  async #refuseChanged(): Promise<void> {
    const { handle, realPath, ino } = this.#file;
    const { size } = await handle.stat();
    if (size !== this.#length) {
      throw this.#fault(
        'file-changed',
        `it holds ${size} bytes where ${this.#length} were written: another program writes to it.`,
        'Stop that program. A longer file is cut back to what was written at the next start; a shorter one must be put back.',
      );
    }
    const there = await stat(realPath, { bigint: true }).catch(() => undefined);
    if (there?.ino === ino) return;
    throw this.#fault(
      'file-swapped',
      'the file was moved, deleted or replaced while it was being written.',
      `Put the file with inode ${ino} back, or run with --fresh to write all results to a new one.`,
    );
  }

  async #append(lines: Uint8Array, signal: AbortSignal): Promise<void> {
    if (lines.length === 0) return;
    for (let attempt = 0; ; attempt++) {
      try {
        await writeAll(this.#file.handle, lines, this.#length);
        await this.#file.handle.datasync();
        return;
      } catch (error) {
        if (!isFull(error)) throw this.#unwritable(error);
        // What did fit would otherwise look like another program's bytes.
        await this.#file.handle.truncate(this.#length);
      }
      if (attempt === 0) say(this.#context, `the disk is full; ${this.#path} waits until there is space.`);
      if (!(await wait(backOffMs(attempt), signal))) {
        throw this.#fault('ENOSPC', 'the disk is full.', 'Free some space and start again; nothing is lost.');
      }
    }
  }

  #unwritable(cause: unknown): ConnectorError {
    return this.#fault(
      errorCode(cause) ?? 'io',
      `${errorMessage(cause)}.`,
      'Check the disk and the file system, then start again; nothing that was committed is lost.',
      cause,
    );
  }

  #fault(code: string, reason: string, remedy: string, cause?: unknown): ConnectorError {
    const tried = `write to the file ${JSON.stringify(this.#path)}`;
    return new ConnectorError({ code, node: this.#context.nodeName, tried, reason, remedy, cause });
  }
}

function isFull(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
