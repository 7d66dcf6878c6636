/**
 * Cases that nobody in this project made up lie beside a checkout, in `../shared/yardsticks`, and are read in
 * place. Where they are absent the tests that need them are skipped, and say so.
 */

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const yardsticks = new URL('../../../../shared/yardsticks/', import.meta.url);

/** The file's text, or undefined after a warning. */
export function readYardstick(name: string): string | undefined {
  const file = fileURLToPath(new URL(name, yardsticks));
  if (existsSync(file)) return readFileSync(file, 'utf8');
  console.warn(`SKIPPED: ${name} is not beside this checkout; its cases are not tested here.`);
  return undefined;
}
