/** Where the program of the engine host lies: it is started as a process of its own, never imported. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Beside this file when built, in dist/ when run from source. */
export function engineHostProgram(): string {
  for (const place of ['./main.js', '../dist/main.js']) {
    const file = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(file)) return file;
  }
  throw new Error('The program dist/main.js of @millrace/engine-host is missing. Run npm run build.');
}
