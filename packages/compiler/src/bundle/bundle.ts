/**
 * Bundles the code of a pipeline into one ES module with esbuild on memory alone. Only files of the request and
 * the SDK can be imported; equal requests give equal bytes.
 */
import { build, type Message, type Plugin } from 'esbuild';
import { folderOf, joinPath, sourceCandidates } from '../lib-path.ts';
import type { Installed } from '../typescript/installed.ts';
import { type BundleError, type BundleRequest, type BundleResult, ENTRY_PATH } from './bundle-request.ts';

const NAMESPACE = 'millrace';

export async function bundle(request: BundleRequest, installed: Installed): Promise<BundleResult> {
  const outcome = await build({
    entryPoints: [ENTRY_PATH],
    bundle: true,
    write: false,
    outfile: '/bundle.js',
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    charset: 'utf8',
    legalComments: 'none',
    sourcemap: 'external',
    logLevel: 'silent',
    absWorkingDir: '/',
    tsconfigRaw: '{}',
    plugins: [virtualFiles(request, installed)],
  }).catch((error: unknown) => {
    const errors = (error as { errors?: Message[] }).errors;
    if (errors === undefined) throw error;
    return { errors, outputFiles: [] };
  });
  if (outcome.errors.length > 0) return { kind: 'failed', errors: outcome.errors.map(bundleError) };
  const text = (ending: string): string =>
    outcome.outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const map = Buffer.from(renameSources(text('.js.map'), request.names)).toString('base64');
  const code = text('.js');
  return { kind: 'built', code: `${code}//# sourceMappingURL=data:application/json;base64,${map}\n` };
}

function virtualFiles({ files }: BundleRequest, installed: Installed): Plugin {
  const read = (path: string): string | undefined => files.get(path) ?? installed.sdk.get(path);
  return {
    name: 'virtual-files',
    setup(hooks) {
      hooks.onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
        const found = kind === 'entry-point' ? ENTRY_PATH : resolve(path, importer, read);
        if (found === undefined)
          return { errors: [{ text: `${JSON.stringify(path)} cannot be imported in pipeline code` }] };
        return { path: found, namespace: NAMESPACE, sideEffects: !found.startsWith('/sdk/') };
      });
      hooks.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => {
        // `./streams` holds types alone; it is still imported where somebody left out `type`.
        if (path.endsWith('.d.ts')) return { contents: '', loader: 'js' };
        return { contents: read(path) ?? '', loader: path.endsWith('.js') ? 'js' : 'ts' };
      });
    },
  };
}

function resolve(
  name: string,
  importer: string,
  read: (path: string) => string | undefined,
): string | undefined {
  if (name === '@millrace/sdk') return '/sdk/index.ts';
  const path = name.startsWith('#lib/')
    ? joinPath('/lib', name.slice('#lib/'.length))
    : /^\.\.?\//.test(name)
      ? joinPath(folderOf(importer), name)
      : undefined;
  if (path === undefined) return undefined;
  return [...sourceCandidates(path), path, `${path}.d.ts`].find((candidate) => read(candidate) !== undefined);
}

function bundleError({ text, location }: Message): BundleError {
  const path = location?.file.replace(/^millrace:/, '');
  return { path, line: location?.line ?? 1, column: (location?.column ?? 0) + 1, message: text };
}

function renameSources(json: string, names: ReadonlyMap<string, string>): string {
  const map = JSON.parse(json) as { sources: string[] };
  map.sources = map.sources.map((source) => {
    const path = source.slice(source.indexOf(`${NAMESPACE}:`) + NAMESPACE.length + 1);
    return names.get(path) ?? path.replace(/^\/sdk\//, '@millrace/sdk/');
  });
  return JSON.stringify(map);
}
