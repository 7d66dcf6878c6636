import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Where the build of the page lies. */
export const pageFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@millrace/web/package.json')), 'dist');
