/** `millrace types`: what an editor needs to know of the pipeline, written under `.millrace/`. */
import { copyFile, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { generateTypes } from '@millrace/compiler';
import { hasErrors } from '@millrace/graph';
import type { FolderCommand } from '../command-line.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { ownFolder } from '../folder/own-folder.ts';
import { printIssues } from '../issues/print-issues.ts';
import { loadPipeline } from '../pipeline/load-pipeline.ts';
import type { Terminal } from '../terminal.ts';

/** Types are written for a pipeline with issues too: it is what one repairs it with. */
export async function types(command: FolderCommand, terminal: Terminal): Promise<ExitCode> {
  const loaded = await loadPipeline(command.folder, { graphOnly: true });
  printIssues(loaded, terminal);
  const { files, links } = generateTypes(loaded.folder, loaded.types);
  const target = await ownFolder(loaded.root);
  await removeOldTypes(target);
  for (const [path, text] of files) await writeFile(await placeFor(target, path), text);
  for (const [path, to] of links) await link(target, path, to);
  const written = [...files.keys(), ...links.keys()].sort();
  terminal.stderr(`wrote ${written.length} files under ${join(command.folder, '.millrace')}\n`);
  if (command.json) terminal.stdout(`${JSON.stringify({ ok: true, files: written })}\n`);
  return hasErrors(loaded.issues) ? exitCodes.issues : exitCodes.done;
}

/** A node that is gone must not be type-checked any more. Only what is named as we name it goes. */
async function removeOldTypes(target: string): Promise<void> {
  for (const name of await readdir(target)) {
    if (/^(n_.*|lib)$/.test(name)) await rm(join(target, name), { recursive: true });
  }
}

/** Ids come from a file that may have issues; none may lead out of the folder. */
async function placeFor(target: string, path: string): Promise<string> {
  const file = within(target, join(target, path));
  await mkdir(dirname(file), { recursive: true });
  return file;
}

/** Where links cannot be made, the file is copied: the editor then shows it, but edits belong in the original. */
async function link(target: string, path: string, to: string): Promise<void> {
  const file = await placeFor(target, path);
  const original = within(dirname(target), join(dirname(file), to));
  await symlink(to, file).catch(() => copyFile(original, file));
}

function within(folder: string, file: string): string {
  if (file.startsWith(folder + sep)) return file;
  throw new Error(`${file} lies outside ${folder}: correct the issues above first.`);
}
