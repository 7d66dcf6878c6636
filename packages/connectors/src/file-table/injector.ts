/**
 * injector/file-table: the whole file again at every refresh, whatever has become of it meanwhile. Replace it by
 * renaming a finished one onto it: a file that is written while it is read is read as far as it is there.
 */
import type { FileHandle } from 'node:fs/promises';
import type { ConnectorContext, InjectorConnector, OpenInjector } from '@millrace/engine';
import { detectCompression } from '../file-injector/compression.ts';
import { gunzipFrom } from '../file-injector/gunzip.ts';
import { openConfined } from '../shared/confined-path.ts';
import { errorMessage } from '../shared/connector-error.ts';
import { say } from '../shared/logging.ts';
import { durationMs, readSettings } from '../shared/settings.ts';
import { tablePartition } from '../shared/table-readings.ts';
import { fileTableConfig } from './spec.ts';

const CHUNK_BYTES = 256 * 1024;

export const fileTableInjector: InjectorConnector = {
  async open(config, context): Promise<OpenInjector> {
    const { path, gzip, refresh } = readSettings(fileTableConfig, config, context);
    // A wrong path is told at the start; one that is gone later may be on its way.
    await (await opened(context, path)).close();
    const table = {
      refreshMs: refresh === undefined ? undefined : durationMs(refresh),
      now: () => context.now(),
      rows: (signal: AbortSignal) => fileBytes(context, path, gzip, signal),
      isAway: (error: unknown, attempt: number) => {
        if (refresh === undefined) return false;
        if (attempt === 0)
          say(
            context,
            `the file cannot be read now (${errorMessage(error)}); records whose rows are older than ${refresh} wait.`,
          );
        return true;
      },
    };
    return {
      partitions: [tablePartition(path, table)],
      close: async () => {},
    };
  },
};

async function opened({ nodeName, folder, walls }: ConnectorContext, path: string): Promise<FileHandle> {
  return (await openConfined({ node: nodeName, folder, path, purpose: 'read', walls })).handle;
}

async function* fileBytes(
  context: ConnectorContext,
  path: string,
  gzip: boolean | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const handle = await opened(context, path);
  try {
    const isPacked = (await detectCompression(handle, path, gzip)) !== 'none';
    let isFirst = true;
    for await (const bytes of isPacked ? gunzipFrom(handle, CHUNK_BYTES, signal) : plain(handle, signal)) {
      yield isFirst ? withoutMark(bytes) : bytes;
      isFirst = false;
    }
  } finally {
    await handle.close();
  }
}

async function* plain(handle: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let position = 0; !signal.aborted; ) {
    // A buffer of its own per chunk: the engine keeps it until the bundle is committed.
    const bytes = new Uint8Array(CHUNK_BYTES);
    const { bytesRead } = await handle.read(bytes, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    yield bytes.subarray(0, bytesRead);
    position += bytesRead;
  }
}

/** Behind the first reading the file does not begin at offset 0, where a byte-order mark is looked for. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  const isMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMark ? bytes.subarray(3) : bytes;
}
