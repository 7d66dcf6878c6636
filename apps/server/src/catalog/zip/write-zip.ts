/** A folder as an archive. Equal folders give equal bytes: no times, no owner, sorted names. */
import { strToU8, type Zippable, zipSync } from 'fflate';

/** The first moment a zip can name. */
const NO_TIME = new Date(1980, 0, 1);

export function writeZip(files: ReadonlyMap<string, string>): Uint8Array {
  const entries: Zippable = {};
  for (const path of [...files.keys()].sort()) entries[path] = strToU8(files.get(path)!);
  return zipSync(entries, { level: 6, mtime: NO_TIME });
}
