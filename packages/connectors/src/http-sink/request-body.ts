/**
 * Bodies and idempotency keys of requests. Pure. The egress stage's lines are cut and joined as bytes, never decoded:
 * a worker that writes something else spoils only what its own pipeline sends.
 */
import { createHash } from 'node:crypto';
import type { SinkRow } from '@millrace/engine';

export type Batching = 'one' | 'array' | 'ndjson';
export type Content = 'record' | 'value';

export const MEDIA_TYPES: Readonly<Record<Batching, string>> = {
  one: 'application/json',
  array: 'application/json',
  ndjson: 'application/x-ndjson',
};

/** What is sent of a row; undefined where its line is not one of an egress stage. */
export function contentOf(row: SinkRow, content: Content): Uint8Array | undefined {
  const line = Buffer.from(row.bytes.buffer, row.bytes.byteOffset, row.bytes.byteLength);
  return content === 'value' ? valueIn(line) : withId(line, row.recordId);
}

export function bodyOf(contents: readonly Uint8Array[], batching: Batching): Uint8Array {
  const [first] = contents;
  if (batching === 'one') {
    if (first === undefined || contents.length > 1) throw new Error('one record is sent as one request');
    return first;
  }
  const [open, between, close] = batching === 'array' ? ['[', ',', ']'] : ['', '\n', '\n'];
  const pieces = contents.flatMap((each, i) => [Buffer.from(i === 0 ? open : between), each]);
  return Buffer.concat([...pieces, Buffer.from(close)]);
}

/**
 * The record's id; of several, a digest of all. Ids that cannot stand in a header are digested, too. The same
 * records give the same key, but after a restart a batch may be cut elsewhere: each record carries its own id.
 */
export function idempotencyKey(rows: readonly SinkRow[]): string {
  const [only] = rows;
  if (rows.length === 1 && only !== undefined && /^[\x21-\x7e]{1,255}$/.test(only.recordId))
    return only.recordId;
  const digest = createHash('sha256');
  for (const { recordId } of rows) digest.update(JSON.stringify(recordId)).update('\n');
  return digest.digest('base64url');
}

const BEFORE_VALUE = Buffer.from('","value":');
const AFTER_VALUE = Buffer.from(',"timestamp":');
const OPEN = 0x7b;

/** `{"key":"…","value":…,"timestamp":…}`: in JSON text of the key, `","` cannot be; behind the value only numbers and a pane are. */
function valueIn(line: Buffer): Uint8Array | undefined {
  const start = line.indexOf(BEFORE_VALUE);
  const end = line.lastIndexOf(AFTER_VALUE);
  const from = start + BEFORE_VALUE.length;
  return start === -1 || end < from ? undefined : line.subarray(from, end);
}

function withId(line: Buffer, id: string): Uint8Array | undefined {
  if (line.length < 3 || line[0] !== OPEN) return undefined;
  return Buffer.concat([Buffer.from(`{"id":${JSON.stringify(id)},`), line.subarray(1)]);
}
