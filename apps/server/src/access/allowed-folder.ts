/** Whether a folder of the server may be opened to pipelines, and which one it really is. */
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

export type FolderVerdict =
  | { readonly kind: 'folder'; readonly realPath: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** Links are followed now, so that one that is changed later opens nothing else. */
export async function judgeFolder(text: string, dataDir: string): Promise<FolderVerdict> {
  if (text.includes('\0') || !isAbsolute(text)) return refused('is not an absolute path');
  const realPath = await realpath(text).catch(() => undefined);
  if (realPath === undefined) return refused('is not there, or the server may not look into it');
  if (!(await stat(realPath)).isDirectory()) return refused('is not a folder');
  const own = await realpath(dataDir);
  if (isInside(own, realPath)) return refused('lies in Millrace’s own data folder');
  if (isInside(realPath, own))
    return refused('holds Millrace’s own data folder; list what is needed below it');
  if (realPath === '/proc' || /^\/(proc|sys|dev)(\/|$)/.test(realPath))
    return refused('is no folder of files');
  return { kind: 'folder', realPath };
}

function refused(reason: string): FolderVerdict {
  return { kind: 'refused', reason };
}

function isInside(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
