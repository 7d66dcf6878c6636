/**
 * Reads rows as `copy … to stdout (format binary)`: `pg` decodes every result column as UTF-8 text, so blobs
 * would travel as hexadecimal, at a third of the speed (measured: 55 against 180 MB/s). The statement takes no
 * parameters; callers put only numbers and hexadecimal digits into it.
 */
import type { Connection, Submittable } from 'pg';
import type { Session } from './session.ts';

export type CopiedRow = readonly Buffer[];

/** No column may be null. */
export function copyOut(session: Session, select: string): Promise<CopiedRow[]> {
  return new Promise((resolve, reject) => {
    session.client.query(new CopyOut(`copy (${select}) to stdout (format binary)`, resolve, reject));
  });
}

export function readInt(field: Buffer | undefined): number {
  return field!.length === 8 ? Number(field!.readBigInt64BE(0)) : field!.readInt32BE(0);
}

const HEADER_BYTES = 19;
const NO_BYTES = Buffer.alloc(0);

class CopyOut implements Submittable {
  /** `pg` expects a query to have it. */
  callback: () => void = () => undefined;
  private readonly text: string;
  private readonly resolve: (rows: CopiedRow[]) => void;
  private readonly reject: (error: Error) => void;
  private readonly rows: CopiedRow[] = [];
  private rest: Buffer = NO_BYTES;
  private headerSeen = false;

  constructor(text: string, resolve: (rows: CopiedRow[]) => void, reject: (error: Error) => void) {
    this.text = text;
    this.resolve = resolve;
    this.reject = reject;
  }

  submit(connection: Connection): void {
    connection.query(this.text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // `pg` reuses the memory of a message: what stays is copied.
    let bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    if (!this.headerSeen && bytes.length >= HEADER_BYTES) {
      this.headerSeen = true;
      bytes = bytes.subarray(HEADER_BYTES);
    }
    let at = 0;
    while (this.headerSeen && at < bytes.length) {
      const end = this.takeRow(bytes, at);
      if (end === undefined) break;
      at = end;
    }
    this.rest = at < bytes.length ? Buffer.from(bytes.subarray(at)) : NO_BYTES;
  }

  handleError(error: Error): void {
    this.reject(error);
  }

  handleReadyForQuery(): void {
    this.resolve(this.rows);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}

  /** Where the next row begins, or undefined when this one is not whole yet. */
  private takeRow(bytes: Buffer, from: number): number | undefined {
    if (bytes.length - from < 2) return undefined;
    const count = bytes.readInt16BE(from);
    let at = from + 2;
    if (count === -1) return at;
    const row: Buffer[] = [];
    for (let i = 0; i < count; i++) {
      if (bytes.length - at < 4) return undefined;
      const length = bytes.readInt32BE(at);
      at += 4;
      if (bytes.length - at < length) return undefined;
      row.push(Buffer.from(bytes.subarray(at, at + length)));
      at += length;
    }
    this.rows.push(row);
    return at;
  }
}
