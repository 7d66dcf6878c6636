/** Reads what the build made of the samples. Run from sources there is none, and then there are no samples. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../package-folder.ts';
import type { Sample } from './sample.ts';

type BuiltSample = Omit<Sample, 'files'> & { readonly files: readonly (readonly [string, string])[] };

export function loadSamples(folder = join(packageFolder, 'dist')): readonly Sample[] {
  const file = join(folder, 'samples.json');
  if (!existsSync(file)) return [];
  const built = JSON.parse(readFileSync(file, 'utf8')) as readonly BuiltSample[];
  return built.map((sample) => ({
    ...sample,
    files: new Map(sample.files),
    data: sample.data.map(({ path, file: inside }) => ({ path, file: join(folder, inside) })),
  }));
}
