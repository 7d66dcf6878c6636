/**
 * What is delivered to a sink, in the form it takes. Nearly always that is the form in which the worker wrote it; only
 * where another sink stood at the same place before, or a dead letter is delivered again, one is made of the other.
 */
import { type Batch, ByteReader, decodeSinkRow, sinkTextIn } from '@millrace/protocol';
import type { SinkRow, SinkText } from '../ports.ts';
import type { Delivery } from './deliveries.ts';

type StreamId = (stream: number) => string | undefined;
const NEWLINE = 0x0a;

export function textsOf(deliveries: readonly Delivery[]): SinkText[] {
  return deliveries.flatMap(({ position, batches }) =>
    batches.map((batch) => ({ position, bytes: sinkTextIn(batch.bytes) ?? joined(batch) })),
  );
}

export function rowsOf(deliveries: readonly Delivery[], streamId: StreamId): SinkRow[] {
  return deliveries.flatMap(({ position, batches }) => {
    let ordinal = 0;
    return batches.flatMap((batch) => {
      const stream = streamId(batch.stream);
      const text = sinkTextIn(batch.bytes);
      if (text === undefined)
        return storedRows(batch).map((row) => ({ position, ordinal: ordinal++, stream, ...row }));
      // A line has no id: its place in the log is one, and stays the same.
      return linesIn(text).map((bytes) => ({
        position,
        ordinal,
        stream,
        recordId: `${position}/${ordinal++}`,
        key: '',
        timestamp: 0,
        bytes,
      }));
    });
  });
}

type StoredRow = Pick<SinkRow, 'recordId' | 'key' | 'timestamp' | 'bytes'>;

function storedRows({ bytes, count }: Batch): StoredRow[] {
  const r = new ByteReader(bytes);
  return Array.from({ length: count }, () => {
    const { id, key, timestamp, bytes: line } = decodeSinkRow(r);
    return { recordId: id, key, timestamp, bytes: line };
  });
}

function joined(batch: Batch): Uint8Array {
  const lines = storedRows(batch);
  const text = new Uint8Array(lines.reduce((size, { bytes }) => size + bytes.length + 1, 0));
  let end = 0;
  for (const { bytes } of lines) {
    text.set(bytes, end);
    end += bytes.length;
    text[end++] = NEWLINE;
  }
  return text;
}

function linesIn(text: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf(NEWLINE, from);
    const to = end === -1 ? text.length : end;
    lines.push(text.subarray(from, to));
    from = to + 1;
  }
  return lines;
}
