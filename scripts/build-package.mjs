// Builds one package: every entry of its package.json "exports" becomes one ES module in dist/,
// with everything from other packages left external. Run in the package's folder.
import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = Object.fromEntries(
  Object.values(manifest.exports ?? {}).map((e) => {
    const source = e['millrace-source'];
    return [source.replace('./src/', '').replace(/\.ts$/, ''), source];
  }),
);
rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: entries,
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
});
// Files that must be self-contained (they run outside Node) are listed under "millrace".bundles.
for (const [out, source] of Object.entries(manifest.millrace?.bundles ?? {})) {
  await build({
    entryPoints: [source],
    outfile: out,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    conditions: ['millrace-source'],
    mainFields: ['module', 'main'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}

// What a package needs besides code is made by the scripts under "millrace".after.
for (const script of manifest.millrace?.after ?? []) await import(pathToFileURL(resolve(script)).href);

/** esbuild has printed what is wrong; a stack of ours would only hide it. */
async function build(options) {
  await esbuild.build(options).catch((error) => {
    if (!error.errors) throw error;
    process.exit(1);
  });
}
