/** Shared files and the text of code. */
import { codePathFault, fileRole } from '@millrace/graph';
import { isFileOfPipeline } from '../folder/file-paths.ts';
import type { Splice } from '../write/edit.ts';
import { fields } from '../write/entity-fields.ts';
import { lines } from '../write/write-edits.ts';
import type { FileCommand } from './command.ts';
import { type Decision, decided, type Refusal, refuse, type Scene, setValue } from './decision.ts';
import { mark } from './delete.ts';
import { takenPaths } from './nodes.ts';

type Of<K extends FileCommand['kind']> = Extract<FileCommand, { kind: K }>;

/** Of one file, in UTF-16 units; a pipeline's files together may have 16 Mi. */
export const MAX_CODE = 1024 * 1024;

export function addFile(scene: Scene, { path, text }: Of<'add-file'>): Decision {
  const fault = pathFault(scene, path);
  if (fault !== undefined) return fault;
  if (text.length > MAX_CODE) return tooLong();
  const id = scene.mint('f');
  return decided(
    [
      { kind: 'create', table: 'files', id, fields: fields({ path }) },
      { kind: 'create-text', code: id, text },
    ],
    [id],
  );
}

export function renameFile(scene: Scene, { file, path }: Of<'rename-file'>): Decision {
  const found = scene.reading.files.get(file);
  if (found === undefined) return noFile();
  const isCase = found.path.toLowerCase() === path.toLowerCase();
  return pathFault(scene, path, isCase) ?? decided([setValue('files', file, 'path', path)]);
}

export function deleteFiles({ reading }: Scene, { files }: Of<'delete-files'>): Decision {
  const there = files.filter((id) => reading.files.has(id));
  return there.length > 0 ? decided(mark('files', there)) : noFile();
}

export function editCode({ document }: Scene, { code, splices }: Of<'edit-code'>): Decision {
  const text = document.code(code);
  if (text === undefined) return refuse('no-code', 'this code is not there any more');
  let length = text.length;
  for (const splice of splices) {
    const change = lengthAfter(length, splice);
    if (change === undefined) return refuse('out-of-range', 'the edit is outside of the text as it is now');
    length = change;
  }
  if (length > MAX_CODE) return tooLong();
  return decided([{ kind: 'splice-text', code, splices }]);
}

function lengthAfter(length: number, { at, remove, insert }: Splice): number | undefined {
  const isWhole = Number.isSafeInteger(at) && Number.isSafeInteger(remove);
  if (!isWhole || at < 0 || remove < 0 || at + remove > length) return undefined;
  return length - remove + lines(insert).length;
}

function pathFault(scene: Scene, path: string, ownPath = false): Refusal | undefined {
  if (!isFileOfPipeline(path) || fileRole(path) === 'node') {
    const reason = codePathFault(path)?.replace('nodes/', 'lib/') ?? 'is not of the form lib/<name>.ts';
    return refuse('bad-path', `the path '${path.slice(0, 80)}' ${reason}`);
  }
  if (ownPath || !takenPaths(scene).has(path.toLowerCase())) return undefined;
  return refuse('path-taken', `there is a file ${path} already; choose another name`);
}

function noFile(): Refusal {
  return refuse('no-file', 'the file is not there any more');
}

function tooLong(): Refusal {
  return refuse('too-long', 'a file of code has at most 1 Mi characters; move data out of it');
}
