/** `millrace types`: what an editor needs to know of the pipeline, written under `.millrace/`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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
  const files = await generateTypes(loaded.folder, loaded.types);
  const target = await ownFolder(loaded.root);
  for (const [path, text] of files) {
    const file = join(target, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  terminal.stderr(`wrote ${files.size} files under ${join(command.folder, '.millrace')}\n`);
  if (command.json) terminal.stdout(`${JSON.stringify({ ok: true, files: [...files.keys()] })}\n`);
  return hasErrors(loaded.issues) ? exitCodes.issues : exitCodes.done;
}
