/**
 * The table of contents of a zip, read strictly. Archives that two programs could read differently are refused:
 * a name that the directory and the entry spell differently, entries that share bytes, anything before, between
 * or behind that the directory does not name.
 *
 * Not handled, and refused with a reason: encryption, several disks, zip64, methods other than stored and deflate.
 */

import { shownPath } from '../folder/path-faults.ts';

export interface ZipEntry {
  /** As written, with `/` at the end of folders. */
  readonly name: string;
  readonly deflated: boolean;
  readonly crc: number;
  /** The packed bytes. */
  readonly packed: Uint8Array;
  /** What the directory says it unpacks to. */
  readonly size: number;
}

export interface ZipFault {
  /** `not-a-zip`, `link`, `path`, … */
  readonly code: string;
  readonly message: string;
}

export type ZipDirectory =
  | { readonly kind: 'read'; readonly entries: readonly ZipEntry[] }
  | { readonly kind: 'refused'; readonly faults: readonly ZipFault[] };

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;

const STORED = 0;
const DEFLATED = 8;
const FLAG_UTF8 = 1 << 11;
/** Encrypted, strongly encrypted, masked headers. */
const FLAGS_ENCRYPTED = (1 << 0) | (1 << 6) | (1 << 13);

/** Systems that keep a Unix mode in the upper half of the attributes. */
const UNIX_SYSTEMS = new Set([3, 19]);
const FILE_TYPE = 0xf000;
const REGULAR = 0x8000;
const FOLDER = 0x4000;

export function readZipDirectory(bytes: Uint8Array, maxEntries: number): ZipDirectory {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  if (end === undefined) return refused('not-a-zip', 'This is no zip archive, or it is cut short.');
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  const start = view.getUint32(end + 16, true);
  const disks = view.getUint32(end + 4, true);
  if (disks !== 0 || view.getUint16(end + 8, true) !== count)
    return refused('several-disks', 'The archive is split over several files; pack it into one.');
  if (count === 0xffff || size === 0xffffffff || start === 0xffffffff)
    return refused('zip64', 'The archive is of the zip64 kind, which pipelines do not need; pack it again.');
  if (count > maxEntries)
    return refused(
      'too-many-entries',
      `The archive has ${count} entries; a pipeline has at most ${maxEntries}.`,
    );
  if (start + size !== end)
    return refused('broken-zip', 'The directory of the archive is not where its end says; pack it again.');
  return readEntries(bytes, view, { start, end, count });
}

/** The comment must reach exactly to the end, so that nothing can hide behind it. */
function findEnd(view: DataView): number | undefined {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - 0xffff); at--) {
    if (
      view.getUint32(at, true) === END &&
      at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength
    )
      return at;
  }
  return undefined;
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly count: number;
}

function readEntries(bytes: Uint8Array, view: DataView, { start, end, count }: Place): ZipDirectory {
  const entries: ZipEntry[] = [];
  const faults: ZipFault[] = [];
  const spans: (readonly [from: number, to: number])[] = [];
  let at = start;
  for (let i = 0; i < count; i++) {
    if (at + CENTRAL_BYTES > end || view.getUint32(at, true) !== CENTRAL) return BROKEN_DIRECTORY;
    const [nameBytes, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const next = at + CENTRAL_BYTES + nameBytes! + extra! + comment!;
    if (next > end) return BROKEN_DIRECTORY;
    const found = readEntry(bytes, view, { at, nameBytes: nameBytes!, directory: start });
    if ('fault' in found) faults.push(found.fault);
    else {
      entries.push(found.entry);
      spans.push(found.span);
    }
    at = next;
  }
  if (at !== end) return BROKEN_DIRECTORY;
  if (overlap(spans))
    faults.push({ code: 'overlap', message: 'Entries of the archive share the same bytes; pack it again.' });
  return faults.length > 0 ? { kind: 'refused', faults } : { kind: 'read', entries };
}

interface EntryPlace {
  readonly at: number;
  readonly nameBytes: number;
  /** Where the directory starts: no entry reaches into it. */
  readonly directory: number;
}

type Found =
  | { readonly entry: ZipEntry; readonly span: readonly [from: number, to: number] }
  | { readonly fault: ZipFault };

function readEntry(bytes: Uint8Array, view: DataView, { at, nameBytes, directory }: EntryPlace): Found {
  const flags = view.getUint16(at + 8, true);
  const rawName = bytes.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes);
  const name = decodeName(rawName, flags);
  if (name === undefined)
    return fault(
      'name',
      `The name of an entry (${shown(rawName)}) is not marked as UTF-8; pack it with UTF-8 names.`,
    );
  if ((flags & FLAGS_ENCRYPTED) !== 0)
    return fault('encrypted', `${shownPath(name)} is encrypted; pack it without a password.`);
  const special = specialKind(view, at);
  if (special !== undefined)
    return fault('link', `${shownPath(name)} is ${special}; only plain files can be imported.`);
  const method = view.getUint16(at + 10, true);
  if (method !== STORED && method !== DEFLATED)
    return fault(
      'method',
      `${shownPath(name)} is packed by method ${method}; use plain zip compression (deflate).`,
    );
  const crc = view.getUint32(at + 16, true);
  const packedSize = view.getUint32(at + 20, true);
  const size = view.getUint32(at + 24, true);
  const from = view.getUint32(at + 42, true);
  const data = dataStart(bytes, view, { from, rawName, method, directory });
  if (data === undefined || data + packedSize > directory)
    return fault(
      'broken-zip',
      `${shownPath(name)}: the entry is not where, or not what, the directory says; pack it again.`,
    );
  if (method === STORED && packedSize !== size)
    return fault('broken-zip', `${shownPath(name)}: a stored entry has two sizes; pack it again.`);
  const packed = bytes.subarray(data, data + packedSize);
  return {
    entry: { name, deflated: method === DEFLATED, crc, packed, size },
    span: [from, data + packedSize],
  };
}

interface LocalPlace {
  readonly from: number;
  readonly rawName: Uint8Array;
  readonly method: number;
  readonly directory: number;
}

/** Where the entry's bytes start, if its own header agrees with the directory. */
function dataStart(
  bytes: Uint8Array,
  view: DataView,
  { from, rawName, method, directory }: LocalPlace,
): number | undefined {
  if (from + LOCAL_BYTES > directory || view.getUint32(from, true) !== LOCAL) return undefined;
  const nameBytes = view.getUint16(from + 26, true);
  const start = from + LOCAL_BYTES + nameBytes + view.getUint16(from + 28, true);
  const ownName = bytes.subarray(from + LOCAL_BYTES, from + LOCAL_BYTES + nameBytes);
  const same = Buffer.compare(ownName, rawName) === 0 && view.getUint16(from + 8, true) === method;
  return same && start <= directory ? start : undefined;
}

function specialKind(view: DataView, at: number): string | undefined {
  const type = (view.getUint32(at + 38, true) >>> 16) & FILE_TYPE;
  if (!UNIX_SYSTEMS.has(view.getUint8(at + 5)) || type === 0 || type === REGULAR || type === FOLDER)
    return undefined;
  return type === 0xa000 ? 'a link' : 'no regular file';
}

function decodeName(raw: Uint8Array, flags: number): string | undefined {
  if ((flags & FLAG_UTF8) === 0 && raw.some((byte) => byte > 0x7e)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    return undefined;
  }
}

function overlap(spans: readonly (readonly [from: number, to: number])[]): boolean {
  const sorted = [...spans].sort(([a], [b]) => a - b);
  return sorted.some(([from], at) => at > 0 && from < sorted[at - 1]![1]);
}

const shown = (raw: Uint8Array): string => shownPath(new TextDecoder('latin1').decode(raw));
const fault = (code: string, message: string): Found => ({ fault: { code, message } });
const refused = (code: string, message: string): ZipDirectory => ({
  kind: 'refused',
  faults: [{ code, message }],
});
const BROKEN_DIRECTORY = refused('broken-zip', 'The directory of the archive is broken; pack it again.');
