import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** `samples/` of the repository, as seen from this file when built and when run from source. */
export function samplesFolder(): string {
  const places = ['../../../samples/', '../../../../samples/'];
  const found = places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((folder) => existsSync(`${folder}nexmark`));
  if (found === undefined) throw new Error('The folder samples/ of the repository is missing.');
  return found;
}
