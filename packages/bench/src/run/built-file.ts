/** Programs for other processes: beside this file when built, in dist/ when run from source. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export function builtFile(name: string): string {
  for (const place of [`./${name}`, `../../dist/${name}`]) {
    const file = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(file)) return file;
  }
  throw new Error(`The program dist/${name} of @millrace/bench is missing. Run npm run build.`);
}
