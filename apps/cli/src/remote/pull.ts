/** `millrace pull`: the draft, or a version, becomes the folder. */
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { RemoteCommand } from '../command-line.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { type LocalFolder, readLocalFolder } from './local-folder.ts';
import { remember, remembered } from './remembered.ts';
import type { ServerApi } from './server-api.ts';
import { writeFolderToDisk } from './write-folder-to-disk.ts';

export async function pull(command: RemoteCommand, api: ServerApi, terminal: Terminal): Promise<ExitCode> {
  await mkdir(command.folder, { recursive: true });
  const local = await readLocalFolder(command.folder);
  const pipeline = command.pipeline ?? local.id;
  if (pipeline === undefined) {
    terminal.stderr('millrace: pull: this folder names no pipeline yet; give its id with --pipeline.\n');
    return exitCodes.usage;
  }
  const params = { pipeline };
  const draft = await api.call('draft.get', { params });
  if (!command.force && !(await isUnchanged(local, api, pipeline, draft.hash))) {
    terminal.stderr(
      `millrace: ${join(command.folder)} has changes that were not pushed to ${api.server}. Push them, or overwrite them with --force.\n`,
    );
    return exitCodes.failed;
  }
  const { version } = command;
  const files =
    version === undefined
      ? draft.files
      : (await api.call('versions.files', { params: { pipeline, version } })).files;
  const root = await realpath(command.folder);
  const written = await writeFolderToDisk({
    root,
    present: [...local.folder.files.keys()],
    files: new Map(Object.entries(files)),
  });
  const { hash } = await readLocalFolder(command.folder);
  // A version is put over the draft by the next push, so what the folder knows of is the draft.
  await remember(root, { server: api.server, pipeline, revision: draft.revision, hash });
  const what = version === undefined ? `draft ${draft.revision}` : `version ${version}`;
  terminal.stderr(`${what} of ${pipeline} is in ${command.folder}\n`);
  if (command.json) terminal.stdout(`${JSON.stringify({ ok: true, pipeline, files: written })}\n`);
  return exitCodes.done;
}

async function isUnchanged(
  local: LocalFolder,
  api: ServerApi,
  pipeline: string,
  hash: string,
): Promise<boolean> {
  if (local.folder.files.size === 0 || local.hash === hash) return true;
  return (await remembered(local.root, api.server, pipeline))?.hash === local.hash;
}
