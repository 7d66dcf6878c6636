/**
 * Opens the files that pipelines name.
 *
 * A relative path belongs to the context's folder and must stay inside it: no `..`, and no link on the way that
 * leads out; `.millrace` in it, where the database of `millrace run` lies, is no pipeline's to read or write. An
 * absolute path has the rights of whoever runs the pipeline; behind a server's walls it must really lie, links
 * followed, in that folder or in one an admin listed, and never in Millrace's own data. The check is made twice:
 * on the resolved path before opening, so that nothing outside is created, and on the opened descriptor, so that
 * a link swapped in between is caught. Only regular files are taken; opening does not block on a FIFO.
 *
 * Not handled: a hard link to a file outside, which looks like any other file.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ConnectorWalls } from '@millrace/engine';
import { ConnectorError, errorCode, errorMessage } from './connector-error.ts';

export interface FileRequest {
  readonly node: string;
  readonly folder: string;
  /** As written in the settings. */
  readonly path: string;
  /** `append`: the file must be there. `create`: it is made where it is not. */
  readonly purpose: 'read' | 'append' | 'create';
  readonly walls?: ConnectorWalls | undefined;
}

export interface OpenedFile {
  readonly handle: FileHandle;
  /** Without links; names the file in locks and messages. */
  readonly realPath: string;
  readonly created: boolean;
}

export async function openConfined(request: FileRequest): Promise<OpenedFile> {
  refuseByName(request);
  const located = await locate(request);
  await refuseOutside(request, located.realPath);
  const handle = await openRegular(request, located);
  try {
    await refuseSwapped(request, handle, located.realPath);
    return { handle, ...located };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function refuseByName(request: FileRequest): void {
  if (request.path.includes('\0')) {
    throw fault(request, 'path', 'the path holds a zero byte.', 'Write the path without it.');
  }
  if (!isAbsolute(request.path) && request.path.split(/[\\/]/).includes('..')) {
    throw fault(
      request,
      'path-outside',
      'the path leaves the pipeline\'s folder through "..".',
      request.walls === undefined
        ? 'Put the file inside the folder, or name it by an absolute path.'
        : 'Put the file inside the folder.',
    );
  }
}

/** The path without links. For a file that is not there yet: its folder without links, and its name. */
async function locate(request: FileRequest): Promise<{ realPath: string; created: boolean }> {
  const written = resolve(request.folder, request.path);
  try {
    return { realPath: await realpath(written), created: false };
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || request.purpose !== 'create') throw system(request, error);
  }
  let parent: string;
  try {
    parent = await realpath(dirname(written));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw system(request, error);
    throw fault(
      request,
      'folder-missing',
      `its folder ${dirname(written)} does not exist.`,
      'Make the folder, or correct `path`.',
    );
  }
  return { realPath: join(parent, basename(written)), created: true };
}

const OWN_FOLDER = '.millrace';

async function refuseOutside(request: FileRequest, realPath: string): Promise<void> {
  if (isAbsolute(request.path)) return refuseBeyondWalls(request, realPath);
  const folder = await realpath(request.folder);
  const inside = relative(folder, realPath);
  if (!isInside(folder, realPath)) {
    throw fault(
      request,
      'path-outside',
      `a link on the way leads out of the pipeline's folder, to ${realPath}.`,
      request.walls === undefined
        ? 'Put the file itself inside the folder, or name it by an absolute path.'
        : 'Put the file itself inside the folder.',
    );
  }
  // Some file systems take any case for it.
  if (inside.split(sep)[0]?.toLowerCase() === OWN_FOLDER) {
    throw fault(
      request,
      'path-own',
      `it lies in ${OWN_FOLDER}, where Millrace keeps its own data.`,
      'Put the file elsewhere in the folder.',
    );
  }
}

async function refuseBeyondWalls(request: FileRequest, realPath: string): Promise<void> {
  const { walls, folder } = request;
  if (walls === undefined) return;
  if (await isInsideReal(folder, realPath)) return;
  const own = walls.own !== undefined && (await isInsideReal(walls.own, realPath));
  for (const allowed of own ? [] : walls.folders) if (await isInsideReal(allowed, realPath)) return;
  throw fault(
    request,
    own ? 'path-own' : 'path-outside',
    own
      ? 'it lies in the folder where Millrace keeps its own data.'
      : 'it lies outside the folders that pipelines on this server may use.',
    'Upload the file and name it by a relative path, or let an admin list its folder in the settings.',
  );
}

/** A folder that is not there holds nothing. */
async function isInsideReal(folder: string, realPath: string): Promise<boolean> {
  const real = await realpath(folder).catch(() => undefined);
  return real !== undefined && isInside(real, realPath);
}

function isInside(folder: string, realPath: string): boolean {
  const inside = relative(folder, realPath);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

async function openRegular(
  request: FileRequest,
  located: { realPath: string; created: boolean },
): Promise<FileHandle> {
  const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
  const safe = (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
  const access = request.purpose === 'read' ? O_RDONLY : O_RDWR | (located.created ? O_CREAT | O_EXCL : 0);
  let handle: FileHandle;
  try {
    handle = await open(located.realPath, access | safe, 0o666);
  } catch (error) {
    throw system(request, error);
  }
  const stats = await handle.stat();
  if (stats.isFile()) return handle;
  await handle.close();
  throw notRegular(request, stats.isDirectory());
}

async function refuseSwapped(request: FileRequest, handle: FileHandle, realPath: string): Promise<void> {
  const opened = await handle.stat({ bigint: true });
  const now = await stat(realPath, { bigint: true }).catch(() => undefined);
  // Linux tells where a descriptor really lies; elsewhere the path is resolved once more.
  const lies = await readlink(`/proc/self/fd/${handle.fd}`).catch(() =>
    realpath(realPath).catch(() => undefined),
  );
  if (now !== undefined && now.ino === opened.ino && now.dev === opened.dev && lies === realPath) return;
  throw fault(
    request,
    'path-swapped',
    'the file was replaced while it was being opened.',
    'Start again when nothing else moves files here.',
  );
}

function notRegular(request: FileRequest, isDirectory: boolean): ConnectorError {
  return isDirectory
    ? fault(request, 'EISDIR', 'it is a folder.', 'Name a file in `path`.')
    : fault(
        request,
        'not-a-file',
        'it is a pipe, socket or device.',
        'Name a regular file in `path`; only a file can be read again from where a run stopped.',
      );
}

const REASONS: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  ENOENT: ['there is no such file.', 'Put the file there, or correct `path`.'],
  EACCES: [
    'permission is denied.',
    'Give the user who runs Millrace the right to it, or choose another path.',
  ],
  EPERM: [
    'permission is denied.',
    'Give the user who runs Millrace the right to it, or choose another path.',
  ],
  ENOTDIR: ['a part of the path is a file, not a folder.', 'Correct `path`.'],
  ELOOP: ['its links go round in a circle.', 'Name the file itself in `path`.'],
  ENAMETOOLONG: ['the name is too long for this file system.', 'Choose a shorter `path`.'],
  EROFS: ['the file system is read-only.', 'Choose a path on a file system that can be written.'],
  EEXIST: [
    'something else took its name: a link that leads nowhere, or a file made this very moment.',
    'Remove the link, or start again.',
  ],
  EMFILE: ['this process has too many files open.', 'Raise the limit (ulimit -n) and start again.'],
  ENOSPC: ['the disk is full.', 'Free some space and start again.'],
};

function system(request: FileRequest, error: unknown): ConnectorError {
  const code = errorCode(error) ?? 'io';
  if (code === 'EISDIR') return notRegular(request, true);
  if (code === 'ENXIO' || code === 'ENODEV') return notRegular(request, false);
  const [reason, remedy] = REASONS[code] ?? [
    `${errorMessage(error)}.`,
    'Check the path and its file system.',
  ];
  return fault(request, code, reason, remedy, error);
}

function fault(
  request: FileRequest,
  code: string,
  reason: string,
  remedy: string,
  cause?: unknown,
): ConnectorError {
  const verb = request.purpose === 'read' ? 'read the file' : 'write to the file';
  return new ConnectorError({
    code,
    node: request.node,
    tried: `${verb} ${JSON.stringify(request.path)}`,
    reason,
    remedy,
    cause,
  });
}
