/** Why paths cannot be those of a pipeline's folder: the same rules for a draft and for an archive. */
import { fileRole } from '@millrace/graph';

export interface PathFault {
  readonly path: string;
  readonly code: 'path' | 'not-of-a-pipeline' | 'collision';
  readonly message: string;
}

export function pathFaults(paths: readonly string[]): PathFault[] {
  const faults: PathFault[] = [];
  for (const path of paths) {
    const trick = pathTrick(path);
    if (trick !== undefined) faults.push({ path, code: 'path', message: `${shownPath(path)} ${trick}.` });
    else if (fileRole(path) === undefined) faults.push(stranger(path));
  }
  return [...faults, ...collisions(paths)];
}

/** What makes a path lead somewhere else, or to another place on another system. */
export function pathTrick(path: string): string | undefined {
  if (path.includes('\0')) return 'holds a zero byte';
  if (path.includes('\\')) return 'uses a backslash; write / between folder and file';
  if (/^(\/|[A-Za-z]:)/.test(path)) return 'is absolute; write it relative to the folder';
  if (path.split('/').includes('..')) return "leaves the folder with '..'";
  return undefined;
}

/** Names from outside are shown without anything a terminal or a page could obey. */
export const shownPath = (path: string): string =>
  JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}…` : path).replace(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    '�',
  );

function stranger(path: string): PathFault {
  const message = `${shownPath(path)} does not belong to a pipeline: it is made of pipeline.json, layout.json, nodes/*.ts, lib/*.ts and tests/*.json.`;
  return { path, code: 'not-of-a-pipeline', message };
}

/** Two names that are one on a system that ignores case, or a file where another path needs a folder. */
function collisions(paths: readonly string[]): PathFault[] {
  const seen = new Map<string, string>();
  const faults: PathFault[] = [];
  for (const path of paths) {
    const other = seen.get(folded(path));
    if (other === undefined) seen.set(folded(path), path);
    else faults.push({ path, code: 'collision', message: sameName(path, other) });
  }
  for (const path of paths) {
    const file = parents(folded(path))
      .map((folder) => seen.get(folder))
      .find((found) => found !== undefined);
    if (file === undefined) continue;
    const message = `${shownPath(file)} is a file, and ${shownPath(path)} needs it to be a folder.`;
    faults.push({ path, code: 'collision', message });
  }
  return faults;
}

const folded = (path: string): string => path.normalize('NFC').toLowerCase();

const parents = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, at, parts) => parts.slice(0, at + 1).join('/'));

const sameName = (path: string, other: string): string =>
  path === other
    ? `${shownPath(path)} is there twice.`
    : `${shownPath(path)} and ${shownPath(other)} are one name where case does not matter; rename one of them.`;
