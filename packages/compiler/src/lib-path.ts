/** Paths of the virtual project; shared by the check and the bundle, which must agree on what an import means. */

/** `name` seen from `folder`, without `.` and `..`; undefined when it climbs above the root. */
export function joinPath(folder: string, name: string): string | undefined {
  const parts: string[] = [];
  for (const part of `${folder}/${name}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return `/${parts.join('/')}`;
}

/** The files a path without ending may mean, in order. */
export function sourceCandidates(path: string): string[] {
  return path.endsWith('.ts') ? [path] : [`${path}.ts`, `${path}/index.ts`];
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
