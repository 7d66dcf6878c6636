/**
 * How far a source partition is committed. Of a partition that is pushed to, the mark also says what came of the
 * requests it has just passed: their answers go out when the bundle that holds the mark is committed.
 */
import { ByteReader, MalformedBytes } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { decodeValue, encodeValue } from '../bytes/value-codec.ts';
import { decodeAnswer, encodeAnswer, type RequestAnswer } from './request-entry.ts';
import { isTableMemory, type TableMemory } from './table-standing.ts';

export interface SourceMark {
  /** First byte, ordinal or request that is not consumed. */
  readonly offset: number;
  /** The ingest stage's own. */
  readonly memory: unknown;
  /** Largest event time seen. */
  readonly largest: number | undefined;
  readonly ended: boolean;
  /** Of a partition that is a table. */
  readonly table?: TableMemory | undefined;
  /** Of the requests in front of `offset`, the last one of `offset - 1`. */
  readonly answers?: readonly RequestAnswer[] | undefined;
}

/** A bundle passes fewer: it holds fewer records, and one without records is charged as one. */
const MOST_ANSWERS = 1 << 20;

export function encodeSourceMark(mark: SourceMark): Uint8Array {
  const { offset, memory, largest, ended, table, answers } = mark;
  const w = new ByteWriter(64);
  encodeValue(w, { offset, memory, largest, ended, ...(table && { table }) });
  if (answers === undefined || answers.length === 0) return w.take();
  w.varint(answers.length);
  for (const answer of answers) encodeAnswer(w, answer);
  return w.take();
}

/** Throws `MalformedBytes` for what is no mark. */
export function decodeSourceMark(bytes: Uint8Array): SourceMark {
  const r = new ByteReader(bytes);
  const mark = decodeValue(r);
  if (!isMark(mark)) throw new MalformedBytes('a source mark that is none');
  const { offset, memory, largest, ended, table } = mark;
  const read = { offset, memory, largest, ended, ...(table && { table }) };
  if (r.done) return read;
  const count = r.varint();
  if (count === 0 || count > MOST_ANSWERS || count > offset)
    throw new MalformedBytes(`${count} answers before ${offset}`);
  const answers: RequestAnswer[] = [];
  for (let left = count; left > 0; left--) answers.push(decodeAnswer(r));
  if (!r.done) throw new MalformedBytes('a source mark with something behind it');
  return { ...read, answers };
}

function isMark(value: unknown): value is SourceMark {
  if (typeof value !== 'object' || value === null) return false;
  const { offset, largest, ended, table } = value as Record<string, unknown>;
  return (
    Number.isSafeInteger(offset) &&
    (offset as number) >= 0 &&
    typeof ended === 'boolean' &&
    (table === undefined || isTableMemory(table)) &&
    (largest === undefined || (typeof largest === 'number' && !Number.isNaN(largest)))
  );
}
