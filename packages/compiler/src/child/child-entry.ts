/** Where the child's entry lies: built beside this file, or, when running from sources, bundled on first use. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

let bundled: Promise<string> | undefined;

export function childEntry(): Promise<string> {
  const own = fileURLToPath(import.meta.url);
  if (!own.endsWith('.ts')) return Promise.resolve(path.join(path.dirname(own), 'child', 'entry.js'));
  bundled ??= bundleEntry(path.dirname(own));
  return bundled;
}

/** Inside the package, so that TypeScript and esbuild are found from it. */
async function bundleEntry(folder: string): Promise<string> {
  const { build } = await import('esbuild');
  const cache = path.join(folder, '..', '..', 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const outfile = path.join(cache, `child-${process.pid}.mjs`);
  await build({
    entryPoints: [path.join(folder, 'entry.ts')],
    outfile: `${outfile}.part`,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['millrace-source'],
    external: ['esbuild', 'typescript-js'],
    banner: {
      js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);",
    },
    logLevel: 'silent',
  });
  renameSync(`${outfile}.part`, outfile);
  process.once('exit', () => rmSync(outfile, { force: true }));
  return outfile;
}
