/** Finds the Deno binary that npm installed for this machine. It is started directly, never through a shim. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { SandboxError } from '../sandbox-error.ts';

export interface DenoBinary {
  readonly file: string;
  readonly version: string;
}

export function denoBinary(platform = platformName()): DenoBinary {
  const name = `@deno/${platform}`;
  try {
    // The platform package is a dependency of `deno`, so it is looked up from there.
    const outer = createRequire(createRequire(import.meta.url).resolve('deno/package.json'));
    const manifestFile = outer.resolve(`${name}/package.json`);
    const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as { version: string };
    const file = path.join(path.dirname(manifestFile), process.platform === 'win32' ? 'deno.exe' : 'deno');
    if (!existsSync(file)) throw new Error(`${file} is missing`);
    return { file, version: manifest.version };
  } catch (cause) {
    throw new SandboxError(
      'no-binary',
      `Workers need Deno, and npm installed no Deno binary for this machine (package ${name}): ${firstLine(cause)}. ` +
        'Run npm install again without --omit=optional. There are binaries for Windows, macOS and Linux with glibc, ' +
        'on x64 and arm64; on musl (Alpine) there is none: use a glibc-based image.',
      cause,
    );
  }
}

const GLIBC_LOADERS = [
  '/lib64/ld-linux-x86-64.so.2',
  '/lib/ld-linux-aarch64.so.1',
  '/lib64/ld-linux-aarch64.so.1',
  '/usr/lib/ld-linux-aarch64.so.1',
];

/** Told by the loader's file: `process.report` would ask the name service about every open connection. */
function platformName(): string {
  if (process.platform !== 'linux') return `${process.platform}-${process.arch}`;
  return `linux-${process.arch}-${GLIBC_LOADERS.some((file) => existsSync(file)) ? 'glibc' : 'musl'}`;
}

function firstLine(error: unknown): string {
  return ((error as Error).message ?? String(error)).split('\n')[0]!;
}
