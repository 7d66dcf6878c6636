/** Upload, download, list and delete the workspace's files. Bodies are streams; none is held in memory. */
import { MAX_FILE_BYTES } from '@millrace/protocol/api';
import { decodeCursor, pageFrom } from '../http/cursor.ts';
import type { Feature } from '../http/handler.ts';
import { notFound, Problem } from '../http/problem.ts';
import { tooLarge } from '../http/read-body.ts';
import {
  deleteFile,
  type FileEntry,
  FileRefused,
  filesFolder,
  listFiles,
  openForReading,
  type Refusal,
  writeFile,
} from './workspace-files.ts';

export interface FilesOptions {
  readonly dataDir: string;
  /** Bytes of one upload. */
  readonly limit?: number;
}

export function filesFeature({ dataDir, limit = MAX_FILE_BYTES }: FilesOptions): Feature {
  return (bind) => {
    bind('files.list', async ({ workspace, query }) => {
      const [after] = decodeCursor(query.cursor, ['string']) ?? [''];
      const entries = await listFiles(filesFolder(dataDir, workspace));
      const rest = entries.filter(({ path }) => after === '' || path > after);
      const page = pageFrom(rest.slice(0, query.limit + 1), query.limit, ({ path }) => [path]);
      return { items: page.items.map(shown), next: page.next };
    });
    bind('files.read', async ({ workspace, params, response }) => {
      const { handle, size } = await worded(
        openForReading(filesFolder(dataDir, workspace), params.path),
        limit,
      );
      // What it says it is must not make a browser run it.
      response.setHeader('Content-Disposition', 'attachment');
      response.setHeader('X-Content-Type-Options', 'nosniff');
      response.setHeader('Content-Length', size);
      // A file that grows while it is sent is sent as long as it was.
      if (size > 0) return handle.createReadStream({ start: 0, end: size - 1 });
      await handle.close();
      return '';
    });
    bind('files.write', async ({ workspace, params, request, response }) => {
      const folder = filesFolder(dataDir, workspace);
      // A refusal leaves the rest of the body unread.
      response.shouldKeepAlive = false;
      if (Number(request.headers['content-length'] ?? 0) > limit) return tooLarge(limit);
      return shown(await worded(writeFile(folder, params.path, request, limit), limit));
    });
    bind('files.delete', async ({ workspace, params }) => {
      await worded(deleteFile(filesFolder(dataDir, workspace), params.path), limit);
      return undefined;
    });
  };
}

const shown = ({ path, size, modifiedAt }: FileEntry) => ({
  path,
  size,
  modifiedAt: modifiedAt.toISOString(),
});

async function worded<T>(work: Promise<T>, limit: number): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof FileRefused ? problemOf(error.code, limit) : error;
  }
}

function problemOf(code: Refusal, limit: number): Problem {
  switch (code) {
    case 'absent':
      return notFound('file');
    case 'not-a-file':
      return new Problem(409, 'not-a-file', 'A part of that path is a folder, or no plain file.');
    case 'outside':
      return new Problem(409, 'outside', 'A link on that path leads out of the workspace’s files.');
    case 'in-use':
      return new Problem(409, 'in-use', 'A running pipeline writes that file. Stop it first.');
    case 'too-large':
      return tooLarge(limit);
    case 'disk-full':
      return new Problem(
        507,
        'disk-full',
        'The disk of the server is full. Nothing was kept of this upload.',
      );
    case 'cut-off':
      return new Problem(400, 'cut-off', 'The body ended before it was whole. Nothing was kept of it.');
  }
}
