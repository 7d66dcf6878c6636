import { readFileSync } from 'node:fs';

const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

export const millraceVersion: string =
  typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '?';
