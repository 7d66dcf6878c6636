import { fileURLToPath } from 'node:url';

/** The folder of this package: one above `src` and, built, one above `dist`. */
export const packageFolder = fileURLToPath(new URL('..', import.meta.url));
