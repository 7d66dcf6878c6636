/** What a browser fetches before the workspace is seen. Of the built page. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

function filesOf(entry: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[entry];
  if (!chunk) throw new Error(`${entry} is no part of the page`);
  if (found.has(chunk.file)) return found;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) found.add(file);
  for (const imported of chunk.imports ?? []) filesOf(imported, found);
  return found;
}

const sizeOf = (file: string): number => {
  const packed = readdirSync(join(dist, 'assets')).includes(`${file.replace('assets/', '')}.gz`);
  return statSync(join(dist, packed ? `${file}.gz` : file)).size;
};

test('the first view is at most 300 kB of scripts and styles, packed', () => {
  const files = [...filesOf('src/home/home-page.tsx', filesOf('index.html'))];
  const bytes = files.reduce((sum, file) => sum + sizeOf(file), 0);
  expect(files.length).toBeGreaterThan(2);
  expect(bytes).toBeLessThanOrEqual(300_000);
});
