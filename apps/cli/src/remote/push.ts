/** `millrace push`: the folder becomes the draft on the server. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrors, PIPELINE_FILE } from '@millrace/graph';
import type { RemoteCommand } from '../command-line.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printIssues } from '../issues/print-issues.ts';
import type { Terminal } from '../terminal.ts';
import { printable } from '../text/width.ts';
import { type LocalFolder, readLocalFolder } from './local-folder.ts';
import { remember, remembered } from './remembered.ts';
import { type ServerApi, ServerRefusal } from './server-api.ts';

export interface Pushed {
  readonly pipeline: string;
  readonly revision: number;
}

export async function push(command: RemoteCommand, api: ServerApi, terminal: Terminal): Promise<ExitCode> {
  const local = await readLocalFolder(command.folder);
  printIssues(local, terminal);
  const pushed = await pushFolder(local, api, terminal, command.force);
  if (pushed === undefined) return exitCodes.failed;
  terminal.stderr(`${printable(local.folder.pipeline.name)}: draft ${pushed.revision} at ${api.server}\n`);
  if (command.json) terminal.stdout(`${JSON.stringify({ ok: true, ...pushed })}\n`);
  return hasErrors(local.issues) ? exitCodes.issues : exitCodes.done;
}

/** Undefined, and the reason on stderr, where it would overwrite what others did. */
export async function pushFolder(
  local: LocalFolder,
  api: ServerApi,
  terminal: Terminal,
  force: boolean,
): Promise<Pushed | undefined> {
  const draft = local.id === undefined ? undefined : await draftOf(api, local.id);
  if (local.id === undefined || draft === undefined) return create(local, api, terminal);
  const known = await remembered(local.root, api.server, local.id);
  const foreign = draft.hash !== local.hash && known?.revision !== draft.revision;
  if (foreign && !force) {
    terminal.stderr(
      `millrace: the draft on the server is not the one this folder was made from. Look at it with \`millrace pull\` into another folder, or overwrite it with --force.\n`,
    );
    return undefined;
  }
  const saved = await api.call('draft.put', {
    params: { pipeline: local.id },
    body: { files: Object.fromEntries(local.folder.files) },
    ifMatch: draft.revision,
  });
  return noted(local, api, { pipeline: local.id, ...saved });
}

async function create(local: LocalFolder, api: ServerApi, terminal: Terminal): Promise<Pushed> {
  const made = await api.call('pipelines.create', {
    body: { files: Object.fromEntries(local.folder.files) },
  });
  if (local.id === undefined) {
    await writeId(local.root, made.id);
    terminal.stderr(`wrote "id": "${made.id}" into ${join(local.named, PIPELINE_FILE)}\n`);
  }
  const params = { pipeline: made.id };
  const { revision, hash } = await api.call('draft.get', { params });
  return noted(local, api, { pipeline: made.id, revision, hash });
}

async function noted(
  local: LocalFolder,
  api: ServerApi,
  {
    pipeline,
    revision,
    hash,
  }: { readonly pipeline: string; readonly revision: number; readonly hash: string },
): Promise<Pushed> {
  await remember(local.root, { server: api.server, pipeline, revision, hash });
  return { pipeline, revision };
}

export async function draftOf(api: ServerApi, pipeline: string) {
  try {
    return await api.call('draft.get', { params: { pipeline } });
  } catch (error) {
    if (error instanceof ServerRefusal && error.status === 404) return undefined;
    throw error;
  }
}

/** The rest of the file stays as its author wrote it. */
async function writeId(root: string, id: string): Promise<void> {
  const place = join(root, PIPELINE_FILE);
  const text = await readFile(place, 'utf8');
  await writeFile(place, text.replace(/^(\ufeff?\s*\{)/, `$1\n  "id": "${id}",`));
}
