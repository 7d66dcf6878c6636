/**
 * What the compiler needs from disk, read once: TypeScript's `lib` files and the SDK's sources. After that every
 * check and bundle runs on memory alone (a check with disk access can be made to print any JSON file it may read).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Installed } from './typescript/installed.ts';

let installed: Installed | undefined;

export function readInstalled(): Installed {
  installed ??= { libs: readLibs(), sdk: readSdk() };
  return installed;
}

function readLibs(): Map<string, string> {
  const folder = path.join(findModule('typescript-js'), 'lib');
  const libs = new Map<string, string>();
  for (const name of readdirSync(folder)) {
    if (/^lib\.(es|decorators)[\w.]*\.d\.ts$/.test(name))
      libs.set(name, readFileSync(path.join(folder, name), 'utf8'));
  }
  return libs;
}

function readSdk(): Map<string, string> {
  const folder = path.join(findModule('@millrace/sdk'), 'src');
  const sources = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts') || entry.name.endsWith('.test.ts')) continue;
    const file = path.join(entry.parentPath, entry.name);
    sources.set(`/sdk/${path.relative(folder, file).split(path.sep).join('/')}`, readFileSync(file, 'utf8'));
  }
  return sources;
}

export const readSdkVersion = (): string => readVersion('@millrace/sdk');

/** Of the TypeScript that checks. */
export const readCompilerVersion = (): string => readVersion('typescript-js');

function readVersion(name: string): string {
  const manifest = readFileSync(path.join(findModule(name), 'package.json'), 'utf8');
  return String((JSON.parse(manifest) as { version?: unknown }).version);
}

/** Walks up: package exports hide both the sources and the manifest from `require.resolve`. */
function findModule(name: string): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const candidate = path.join(folder, 'node_modules', name);
    if (existsSync(candidate)) return candidate;
    const parent = path.dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  throw new Error(`the package ${name} is not installed beside @millrace/compiler; run npm install again`);
}
