/** Reads what the build made of the samples and templates. Run from sources there is nothing, and then there are none. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../package-folder.ts';
import type { Beginning, Sample, Template } from './sample.ts';

type Built<T> = Omit<T, 'files'> & { readonly files: readonly (readonly [string, string])[] };

const built = join(packageFolder, 'dist');

export const loadSamples = (folder = built): readonly Sample[] => load<Sample>(folder, 'samples.json');

export const loadTemplates = (folder = built): readonly Template[] =>
  load<Template>(folder, 'templates.json');

function load<T extends Beginning>(folder: string, name: string): readonly T[] {
  const file = join(folder, name);
  if (!existsSync(file)) return [];
  return (JSON.parse(readFileSync(file, 'utf8')) as readonly Built<T>[]).map(
    (each) =>
      ({
        ...each,
        files: new Map(each.files),
        data: each.data.map(({ path, file: inside }) => ({ path, file: join(folder, inside) })),
      }) as unknown as T,
  );
}
