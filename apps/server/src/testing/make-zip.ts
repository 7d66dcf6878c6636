/** Zips of every kind, also of those no honest program makes. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface MadeEntry {
  readonly name: string | Uint8Array;
  readonly text?: string | Uint8Array;
  readonly stored?: boolean;
  /** Packed bytes instead of those of `text`. */
  readonly packed?: Uint8Array;
  /** What the headers claim instead of the truth. */
  readonly size?: number;
  readonly crc?: number;
  readonly method?: number;
  readonly flags?: number;
  /** Of a Unix system: type and permissions. */
  readonly mode?: number;
  readonly localName?: string;
  /** Where the directory says it is. */
  readonly offset?: number;
}

export interface MadeZip {
  readonly before?: Uint8Array;
  readonly behind?: Uint8Array;
  readonly count?: number;
}

const UTF8 = 1 << 11;

export function makeZip(entries: readonly MadeEntry[], more: MadeZip = {}): Uint8Array {
  const body: Uint8Array[] = more.before ? [more.before] : [];
  const directory: Uint8Array[] = [];
  const length = (): number => body.reduce((sum, part) => sum + part.length, 0);
  for (const entry of entries) {
    const at = entry.offset ?? length();
    const { local, central } = headers(entry, at);
    body.push(local);
    directory.push(central);
  }
  const start = length();
  const end = Buffer.alloc(22);
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(more.count ?? entries.length, 8);
  end.writeUInt16LE(more.count ?? entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([...body, ...directory, end, more.behind ?? new Uint8Array()]);
}

function headers(entry: MadeEntry, at: number): { local: Uint8Array; central: Uint8Array } {
  const bytes = (value: string | Uint8Array): Uint8Array =>
    typeof value === 'string' ? Buffer.from(value) : value;
  const text = bytes(entry.text ?? '');
  const packed = entry.packed ?? (entry.stored === true ? text : deflateRawSync(text));
  const method = entry.method ?? (entry.stored === true ? 0 : 8);
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(entry.flags ?? UTF8, 2);
  shared.writeUInt16LE(method, 4);
  shared.writeUInt32LE(entry.crc ?? crc32(text), 10);
  shared.writeUInt32LE(packed.length, 14);
  shared.writeUInt32LE(entry.size ?? text.length, 18);
  const name = bytes(entry.name);
  const localName = bytes(entry.localName ?? entry.name);
  const local = Buffer.concat([signature(0x04034b50), named(shared, localName), localName, packed]);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE((entry.mode ?? 0) * 0x10000, 6);
  tail.writeUInt32LE(at, 10);
  const madeBy = Buffer.from([20, entry.mode === undefined ? 0 : 3]);
  const central = Buffer.concat([signature(0x02014b50), madeBy, named(shared, name), tail, name]);
  return { local, central };
}

function signature(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function named(shared: Buffer, name: Uint8Array): Buffer {
  const copy = Buffer.from(shared);
  copy.writeUInt16LE(name.length, 22);
  return copy;
}
