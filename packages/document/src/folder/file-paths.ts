/** Paths of files in a draft: as in a pipeline folder, without the two files the tables stand for. */
import { fileRole } from '@millrace/graph';

export function isFileOfPipeline(path: string): boolean {
  const role = fileRole(path);
  return role === 'node' || role === 'lib' || role === 'test';
}

/** `count by hour` → `nodes/count-by-hour.ts`, never one that is taken. Fixed when the node is made. */
export function codePathFor(name: string, taken: ReadonlySet<string>): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const base = words.slice(0, 60) || 'code';
  for (let n = 1; ; n++) {
    const path = `nodes/${base}${n === 1 ? '' : `-${n}`}.ts`;
    if (!taken.has(path)) return path;
  }
}
