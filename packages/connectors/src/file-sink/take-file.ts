/**
 * Opens a sink's file, takes its lock and brings it to the state its mark says: the first half of P7's "after a
 * kill cut back to that length; a shorter or other file stops with instructions".
 */
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SinkContext, SinkMark } from '@millrace/engine';
import { type OpenedFile, openConfined } from '../shared/confined-path.ts';
import { ConnectorError, errorMessage } from '../shared/connector-error.ts';
import { type CommittedFile, committedFile, digest, readTail } from './committed-file.ts';
import { type LockOutcome, lockFile } from './host-lock.ts';

export interface OwnedFile {
  readonly handle: FileHandle;
  readonly realPath: string;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly through: number;
  readonly length: number;
  readonly tail: Uint8Array;
  release(): Promise<void>;
}

export async function takeFile(
  context: SinkContext,
  path: string,
  existing: 'append' | 'replace',
): Promise<OwnedFile> {
  const fault = faultOf(context, path);
  const mark = await context.mark();
  const before = mark === undefined ? undefined : readMark(mark, fault);
  const opened = await openFor(context, path, before, fault);
  let lock: Extract<LockOutcome, { kind: 'locked' }> | undefined;
  const release = async (): Promise<void> => {
    await opened.handle.close();
    await lock?.release();
  };
  try {
    lock = await takeLock(context, opened, fault);
    if (opened.created) await syncFolder(opened.realPath);
    const { dev, ino, size } = await opened.handle.stat({ bigint: true });
    const through = mark?.through ?? 0;
    const found: CommittedFile = { length: Number(size), dev: String(dev), ino: String(ino), tail: '' };
    const length =
      before === undefined || before.length === 0
        ? await beginAt(context, opened, { existing, through, found, before })
        : await returnTo(opened, before, found, fault);
    const tail = await readTail(opened.handle, length);
    return { handle: opened.handle, realPath: opened.realPath, dev, ino, through, length, tail, release };
  } catch (error) {
    await release();
    throw error;
  }
}

type Fault = (code: string, reason: string, remedy: string, cause?: unknown) => ConnectorError;

function faultOf(context: SinkContext, path: string): Fault {
  const tried = `write to the file ${JSON.stringify(path)}`;
  return (code, reason, remedy, cause) =>
    new ConnectorError({ code, node: context.nodeName, tried, reason, remedy, cause });
}

function readMark(mark: SinkMark, fault: Fault): CommittedFile {
  const read = committedFile.safeParse(mark.detail);
  if (read.success) return read.data;
  throw fault(
    'mark',
    'what was stored about it is not of a kind this version of Millrace knows.',
    'Go on with the version that wrote it, or run with --fresh.',
  );
}

async function openFor(
  context: SinkContext,
  path: string,
  before: CommittedFile | undefined,
  fault: Fault,
): Promise<OpenedFile> {
  const purpose = before !== undefined && before.length > 0 ? 'append' : 'create';
  try {
    const { nodeName: node, folder, walls } = context;
    return await openConfined({ node, folder, path, purpose, walls });
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.code !== 'ENOENT' || purpose === 'create') throw error;
    throw fault(
      'file-gone',
      `${before?.length} bytes of results were written to it, but it is gone.`,
      'Put the file back (move it, do not copy it) and start again, or run with --fresh to write all results anew.',
      error,
    );
  }
}

async function takeLock(
  context: SinkContext,
  opened: OpenedFile,
  fault: Fault,
): Promise<Extract<LockOutcome, { kind: 'locked' }>> {
  let outcome: LockOutcome;
  try {
    outcome = await lockFile(opened.realPath, context.nodeName);
  } catch (error) {
    throw fault(
      'lock',
      `no lock file could be made in ${dirname(opened.realPath)}: ${errorMessage(error)}.`,
      'Give the user who runs Millrace the right to write to that folder, or choose another one.',
      error,
    );
  }
  if (outcome.kind === 'locked') return outcome;
  const { holder, path } = outcome;
  const who = holder
    ? `node "${holder.node}" of process ${holder.pid} on ${holder.machine}`
    : 'something that left no readable name';
  throw fault(
    'in-use',
    `it is in use by ${who}.`,
    `Stop that run or give this node another path. If it is long gone, delete ${path}.`,
  );
}

async function syncFolder(realPath: string): Promise<void> {
  const folder = await open(dirname(realPath), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

interface Beginning {
  readonly existing: 'append' | 'replace';
  readonly through: number;
  readonly found: CommittedFile;
  readonly before: CommittedFile | undefined;
}

/** A sink that has written nothing yet. Its mark is committed first, so that a kill right after cuts no more than this. */
async function beginAt(context: SinkContext, opened: OpenedFile, begin: Beginning): Promise<number> {
  const { existing, through, found, before } = begin;
  const sameFile = before?.ino === found.ino;
  const length = sameFile ? 0 : existing === 'replace' ? 0 : found.length;
  if (!sameFile) {
    const tail = digest(await readTail(opened.handle, length));
    await context.commit({ through, detail: { ...found, length, tail } }, []);
  }
  await cutTo(opened.handle, found.length, length);
  return length;
}

async function returnTo(
  opened: OpenedFile,
  before: CommittedFile,
  found: CommittedFile,
  fault: Fault,
): Promise<number> {
  if (found.length < before.length) {
    throw fault(
      'file-shrank',
      `${before.length} bytes of results were written to it, but it now holds only ${found.length}.`,
      'Put the whole file back and start again, or run with --fresh to write all results anew.',
    );
  }
  const tail = digest(await readTail(opened.handle, before.length));
  if (found.ino !== before.ino || tail !== before.tail) {
    throw fault(
      'file-swapped',
      `it is not the file that results were written to (inode ${before.ino} then, ${found.ino} now).`,
      'Put that file back (move it, do not copy it) and start again, or move this one away and run with --fresh.',
    );
  }
  await cutTo(opened.handle, found.length, before.length);
  return before.length;
}

async function cutTo(handle: FileHandle, size: number, length: number): Promise<void> {
  if (size === length) return;
  await handle.truncate(length);
  await handle.sync();
}
