import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type SampleFolder, sampleFolder } from '../testing/sample-folder.ts';
import { loadAndBuild } from './load-and-build.ts';

const none = new Map<string, string>();
let sample: SampleFolder;

beforeEach(() => {
  sample = sampleFolder();
});
afterEach(() => sample.remove());

it('an unchanged folder is not built twice; a changed node, or other warnings, are', async () => {
  const { path: folder } = sample;
  const first = await loadAndBuild(folder, none);
  if (first.kind !== 'built') throw new Error(JSON.stringify(first.issues));
  const place = join(folder, '.millrace/build.json');
  const kept = JSON.parse(readFileSync(place, 'utf8')) as { bundle: string };
  // The mark shows where the second build came from.
  writeFileSync(place, JSON.stringify({ ...kept, bundle: `${kept.bundle}\n// kept` }));
  const second = await loadAndBuild(folder, none);
  expect(second).toMatchObject({ kind: 'built', built: { bundle: `${kept.bundle}\n// kept` } });
  const node = join(folder, 'nodes/count.ts');
  writeFileSync(node, readFileSync(node, 'utf8').replace('+ 1', '+ 2'));
  const third = await loadAndBuild(folder, none);
  expect(third).toMatchObject({ kind: 'built', built: { bundle: expect.not.stringContaining('// kept') } });
});

it('a folder with an error is never taken from what was kept', async () => {
  const { path: folder } = sample;
  await loadAndBuild(folder, none);
  const node = join(folder, 'nodes/count.ts');
  writeFileSync(node, readFileSync(node, 'utf8').replace('+ 1', "+ 'x'"));
  expect(await loadAndBuild(folder, none)).toMatchObject({ kind: 'issues' });
});

it('a cache that is nonsense is no cache', async () => {
  const { path: folder } = sample;
  await loadAndBuild(folder, none);
  writeFileSync(join(folder, '.millrace/build.json'), '{"key":1');
  expect(await loadAndBuild(folder, none)).toMatchObject({ kind: 'built' });
});
