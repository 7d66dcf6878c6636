/**
 * injector/file: hands over the bytes of one file in ranges of at most 256 kB. Parsing is the worker's.
 *
 * Offsets count uncompressed bytes. A compressed file is read again from its start after a restart and what
 * was already taken is skipped: gzip has no entry points, and remembering some would tie them to the file.
 *
 * Invariants
 *   - The file is the one that was opened first: a file that is swapped or shortened while the pipeline runs
 *     stops the node with a message, since offsets are part of record ids (P4).
 *   - Not handled: a file that is swapped while nothing runs, unless it is shorter than what was already read.
 */
import type { FileHandle } from 'node:fs/promises';
import type {
  ConnectorContext,
  InjectorConnector,
  OpenInjector,
  SourceChunk,
  SourcePartition,
} from '@millrace/engine';
import { openConfined } from '../shared/confined-path.ts';
import { ConnectorError, errorMessage } from '../shared/connector-error.ts';
import { readSettings } from '../shared/settings.ts';
import { type Compression, detectCompression } from './compression.ts';
import { gunzipFrom } from './gunzip.ts';
import { fileInjectorConfig } from './spec.ts';

export const CHUNK_BYTES = 256 * 1024;

export const fileInjector: InjectorConnector = {
  async open(config, context): Promise<OpenInjector> {
    const settings = readSettings(fileInjectorConfig, config, context);
    const source = await FileSource.open(context, settings.path, settings.gzip);
    return { partitions: [source], close: () => source.close() };
  },
};

interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

class FileSource implements SourcePartition {
  readonly name: string;
  readonly #context: ConnectorContext;
  readonly #gzip: boolean | undefined;
  /** A reading that was told to stop may still be in its last step when the next one begins. */
  readonly #handles = new Set<FileHandle>();
  #identity: Identity | undefined;

  private constructor(context: ConnectorContext, path: string, gzip: boolean | undefined) {
    this.#context = context;
    this.name = path;
    this.#gzip = gzip;
  }

  /** Opens the file once right away, so that a wrong path is told at the start of a run. */
  static async open(context: ConnectorContext, path: string, gzip: boolean | undefined): Promise<FileSource> {
    const source = new FileSource(context, path, gzip);
    const handle = await source.#openSame();
    try {
      await source.#compression(handle);
    } finally {
      await source.#release(handle);
    }
    return source;
  }

  async *read(offset: number, signal: AbortSignal): AsyncGenerator<SourceChunk> {
    const handle = await this.#openSame();
    try {
      const packed = (await this.#compression(handle)) === 'gzip';
      yield* packed ? this.#unpacked(handle, offset, signal) : this.#plain(handle, offset, signal);
      if (!signal.aborted) yield { kind: 'ended' };
    } finally {
      await this.#release(handle);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#handles].map((handle) => this.#release(handle)));
  }

  async #release(handle: FileHandle): Promise<void> {
    if (this.#handles.delete(handle)) await handle.close();
  }

  async #openSame(): Promise<FileHandle> {
    const { handle } = await openConfined({
      node: this.#context.nodeName,
      folder: this.#context.folder,
      path: this.name,
      purpose: 'read',
      walls: this.#context.walls,
    });
    this.#handles.add(handle);
    const { dev, ino } = await handle.stat({ bigint: true });
    this.#identity ??= { dev, ino };
    if (this.#identity.dev === dev && this.#identity.ino === ino) return handle;
    await this.#release(handle);
    throw this.#fault(
      'file-swapped',
      'another file has taken its place since the run began.',
      'Put the first file back and start again; to read the new one, give it a path of its own or run with --fresh.',
    );
  }

  async #compression(handle: FileHandle): Promise<Compression> {
    const found = await detectCompression(handle, this.name, this.#gzip);
    if (found !== 'ending-lies') return found;
    throw this.#fault(
      'not-gzip',
      'its name ends in .gz but its bytes are not gzip.',
      'Replace the file, or set `gzip` to false to read it as it is.',
    );
  }

  async *#plain(handle: FileHandle, offset: number, signal: AbortSignal): AsyncGenerator<SourceChunk> {
    let position = offset;
    if ((await handle.stat()).size < offset) throw this.#shrunk(offset, (await handle.stat()).size);
    while (!signal.aborted) {
      // A buffer of its own per chunk: the engine keeps it until the bundle is committed.
      const bytes = new Uint8Array(CHUNK_BYTES);
      const { bytesRead } = await handle.read(bytes, 0, CHUNK_BYTES, position).catch((error) => {
        throw this.#unreadable(position, error);
      });
      if (bytesRead === 0) break;
      yield { kind: 'bytes', offset: position, bytes: bytes.subarray(0, bytesRead) };
      position += bytesRead;
    }
    const { size } = await handle.stat();
    if (!signal.aborted && size < position) throw this.#shrunk(position, size);
  }

  async *#unpacked(handle: FileHandle, offset: number, signal: AbortSignal): AsyncGenerator<SourceChunk> {
    let position = 0;
    try {
      for await (const chunk of gunzipFrom(handle, CHUNK_BYTES, signal)) {
        const end = position + chunk.length;
        if (end > offset) {
          const from = Math.max(position, offset);
          yield { kind: 'bytes', offset: from, bytes: chunk.subarray(from - position) };
        }
        position = end;
      }
    } catch (error) {
      if (signal.aborted) return;
      throw this.#unreadable(position, error);
    }
    if (!signal.aborted && position < offset) throw this.#shrunk(offset, position);
  }

  #unreadable(position: number, cause: unknown): ConnectorError {
    return this.#fault(
      'unreadable',
      `after ${position} bytes: ${errorMessage(cause)}.`,
      'Everything before that place was read. Replace the file by a whole copy with the same content up to there and start again.',
      cause,
    );
  }

  #shrunk(read: number, size: number): ConnectorError {
    return this.#fault(
      'file-shrank',
      `${read} bytes of it were already read, but it now holds only ${size}.`,
      'Put the whole file back and start again, or run with --fresh to read this one from its first byte.',
    );
  }

  #fault(code: string, reason: string, remedy: string, cause?: unknown): ConnectorError {
    const tried = `read the file ${JSON.stringify(this.name)}`;
    return new ConnectorError({ code, node: this.#context.nodeName, tried, reason, remedy, cause });
  }
}
