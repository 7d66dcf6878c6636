/**
 * From an archive of anybody's to the files of a pipeline, or to everything that is wrong with it. Nothing is
 * unpacked before all names are good, and no entry beyond the size it claims.
 */
import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { PIPELINE_FILE } from '@millrace/graph';
import { pathFaults, pathTrick, shownPath } from '../folder/path-faults.ts';
import { readZipDirectory, type ZipEntry, type ZipFault } from './zip-directory.ts';

export const ZIP_LIMITS = {
  packedBytes: 8 << 20,
  bytes: 32 << 20,
  entryBytes: 8 << 20,
  entries: 2_000,
  /** Unpacked to packed, of entries above `ratioFrom` bytes: code packs to a tenth, bombs to a thousandth. */
  ratio: 200,
  ratioFrom: 1 << 20,
} as const;

export type ZipContent =
  | { readonly kind: 'files'; readonly files: ReadonlyMap<string, string> }
  | { readonly kind: 'refused'; readonly faults: readonly ZipFault[] };

const inflate = promisify(inflateRaw);

export async function readZip(bytes: Uint8Array): Promise<ZipContent> {
  const directory = readZipDirectory(bytes, ZIP_LIMITS.entries);
  if (directory.kind === 'refused') return directory;
  const faults = [...nameFaults(directory.entries), ...sizeFaults(directory.entries)];
  if (faults.length > 0) return { kind: 'refused', faults };
  const prefix = commonFolder(directory.entries);
  const wanted = directory.entries.filter(({ name }) => !name.endsWith('/'));
  const paths = wanted.map(({ name }) => name.slice(prefix.length));
  const pathTroubles = pathFaults(paths);
  if (pathTroubles.length > 0) return { kind: 'refused', faults: pathTroubles };
  const files = new Map<string, string>();
  for (const [at, entry] of wanted.entries()) {
    const text = await unpack(entry);
    if (typeof text !== 'string') return { kind: 'refused', faults: [text] };
    files.set(paths[at]!, text);
  }
  return { kind: 'files', files };
}

/** Of all entries, folders too: what they are made of must be sound before a common folder is taken off. */
function nameFaults(entries: readonly ZipEntry[]): ZipFault[] {
  return entries.flatMap(({ name, size, packed }) => {
    const trick = pathTrick(name);
    if (trick !== undefined) return [{ code: 'path', message: `${shownPath(name)} ${trick}.` }];
    if (name.endsWith('/') && (size > 0 || packed.length > 2))
      return [{ code: 'broken-zip', message: `${shownPath(name)} is a folder with content; pack it again.` }];
    return [];
  });
}

function sizeFaults(entries: readonly ZipEntry[]): ZipFault[] {
  const faults = entries.flatMap(({ name, size, packed }) => {
    if (size > ZIP_LIMITS.entryBytes)
      return [
        tooLarge(`${shownPath(name)} has ${size} bytes; one file has at most ${ZIP_LIMITS.entryBytes}.`),
      ];
    if (size > ZIP_LIMITS.ratioFrom && size > packed.length * ZIP_LIMITS.ratio)
      return [tooLarge(`${shownPath(name)} unpacks to more than ${ZIP_LIMITS.ratio} times its packed size.`)];
    return [];
  });
  const all = entries.reduce((sum, { size }) => sum + size, 0);
  if (all > ZIP_LIMITS.bytes)
    faults.push(tooLarge(`The archive unpacks to ${all} bytes; a pipeline has at most ${ZIP_LIMITS.bytes}.`));
  return faults;
}

/** Most people pack the folder, not what is in it. */
function commonFolder(entries: readonly ZipEntry[]): string {
  if (entries.some(({ name }) => name === PIPELINE_FILE)) return '';
  const prefix = /^[^/]+\//.exec(
    entries.find(({ name }) => name.endsWith(`/${PIPELINE_FILE}`))?.name ?? '',
  )?.[0];
  return prefix !== undefined &&
    entries.some(({ name }) => name === `${prefix}${PIPELINE_FILE}`) &&
    entries.every(({ name }) => name.startsWith(prefix))
    ? prefix
    : '';
}

/** Inflating stops at the size the directory claims: a lie about it costs nothing. */
async function unpack({ name, deflated, packed, size, crc }: ZipEntry): Promise<string | ZipFault> {
  let bytes: Uint8Array;
  try {
    bytes = deflated ? await inflate(packed, { maxOutputLength: Math.max(1, size) }) : packed;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge(`${shownPath(name)} is larger than the archive says.`)
      : { code: 'broken-zip', message: `${shownPath(name)} cannot be unpacked; pack it again.` };
  }
  if (bytes.length !== size || crc32(bytes) !== crc)
    return { code: 'broken-zip', message: `${shownPath(name)} is damaged: its checksum is another.` };
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { code: 'not-text', message: `${shownPath(name)} is not UTF-8 text; save it as UTF-8.` };
  }
}

const tooLarge = (message: string): ZipFault => ({ code: 'too-large', message });
