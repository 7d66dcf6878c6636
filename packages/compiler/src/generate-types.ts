/**
 * The TypeScript project of a pipeline for other editors: what `millrace types` writes under `.millrace/`. It is
 * the very project that `checkFolder` checks, with the SDK's sources beside it, so nothing needs to be installed.
 */
import type { NodeTypes, PipelineFolder } from '@millrace/graph';
import { readInstalled } from './installed.ts';
import { layoutProject } from './layout/layout-project.ts';
import { COMPILER_OPTIONS } from './layout/options.ts';

export interface GeneratedTypes {
  /** Path below `.millrace/` to text. */
  readonly files: ReadonlyMap<string, string>;
  /**
   * Path below `.millrace/` to the file of the folder it should be a symbolic link to, relative to the link:
   * `n_x/node.ts` → `../../nodes/x.ts`. Editing either edits both; where links cannot be made, copy.
   */
  readonly links: ReadonlyMap<string, string>;
}

export function generateTypes(folder: PipelineFolder, types: NodeTypes): GeneratedTypes {
  const files = new Map<string, string>([['tsconfig.json', tsconfig()]]);
  const links = new Map<string, string>();
  for (const [path, { text, origin }] of layoutProject(folder, types).files) {
    const below = path.slice(1);
    if (origin.kind === 'generated') files.set(below, text);
    else links.set(below, '../'.repeat(below.split('/').length) + origin.file);
  }
  for (const [path, text] of readInstalled().sdk) files.set(path.slice(1), text);
  return { files, links };
}

function tsconfig(): string {
  const paths = Object.entries(COMPILER_OPTIONS.paths).map(([name, [target]]) => [name, [`.${target}`]]);
  const compilerOptions = {
    ...COMPILER_OPTIONS,
    paths: Object.fromEntries(paths),
    // Without this an editor would see `nodes/x.ts`, where there is no `./streams`.
    preserveSymlinks: true,
  };
  return `${JSON.stringify({ compilerOptions, include: ['globals.d.ts', 'n_*/*.ts', 'lib/**/*.ts'] }, null, 2)}\n`;
}
