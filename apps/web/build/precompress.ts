/** Writes every text of the build as brotli and gzip beside it: the server then only sends bytes. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(js|css|svg|json)$/;
/** Below this a packet is a packet. */
const LEAST_BYTES = 1024;
/** 11 takes ten times as long for 3 % less. */
const BROTLI_QUALITY = 9;

export function precompress(): Plugin {
  let folder = '';
  return {
    name: 'millrace-precompress',
    apply: 'build',
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir, 'assets');
    },
    closeBundle: async () => {
      for (const name of readdirSync(folder)) if (TEXT.test(name)) await compress(join(folder, name));
    },
  };
}

async function compress(path: string): Promise<void> {
  const bytes = readFileSync(path);
  if (bytes.length < LEAST_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  writeFileSync(`${path}.br`, brotli);
  writeFileSync(`${path}.gz`, gzipped);
}
