/**
 * A pipeline folder in memory: path inside the folder to text. Paths use `/`; only the places below belong to a
 * pipeline, anything else in the folder (data, a README) is not part of it.
 */
export type PipelineFiles = ReadonlyMap<string, string>;

export const PIPELINE_FILE = 'pipeline.json';
export const LAYOUT_FILE = 'layout.json';

/** Code of one pipeline beyond this is refused before anything parses it. */
export const MAX_FOLDER_CHARACTERS = 16 * 1024 * 1024;

export type FileRole = 'pipeline' | 'layout' | 'node' | 'lib' | 'test';

/** What a path is in a pipeline folder; undefined for paths that are not part of one. */
export function fileRole(path: string): FileRole | undefined {
  if (path === PIPELINE_FILE) return 'pipeline';
  if (path === LAYOUT_FILE) return 'layout';
  if (!isSafePath(path)) return undefined;
  const parts = path.split('/');
  if (parts[0] === 'nodes' && parts.length === 2 && isSourceName(path)) return 'node';
  if (parts[0] === 'lib' && parts.length >= 2 && isSourceName(path)) return 'lib';
  if (parts[0] === 'tests' && parts.length === 2 && path.endsWith('.json')) return 'test';
  return undefined;
}

/** Why a path cannot be a code file of a node; undefined when it can. */
export function codePathFault(path: string): string | undefined {
  if (path.includes('\\')) return 'uses a backslash; write / between folder and file';
  if (/^([A-Za-z]:|\/)/.test(path)) return 'is absolute; write it relative to the folder';
  if (path.split('/').includes('..')) return "leaves the folder with '..'; keep the file under nodes/";
  if (fileRole(path) !== 'node') return 'is not of the form nodes/<name>.ts';
  return undefined;
}

function isSafePath(path: string): boolean {
  return path.length <= 300 && path.split('/').every(isSafePart);
}

/** No `.` or `..`, nothing hidden, no character that some file system refuses or a terminal obeys. */
function isSafePart(part: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not be in a path
  return part !== '' && !part.startsWith('.') && !/[\u0000-\u001f\u007f\\/:*?"<>|]/.test(part);
}

function isSourceName(path: string): boolean {
  return path.endsWith('.ts') && !path.endsWith('.d.ts');
}
