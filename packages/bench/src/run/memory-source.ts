/** A source in memory behind the settings of an ordinary `injector/file`: as fast as it is taken, or paced. */
import type { InjectorConnector, SourceChunk, SourcePartition } from '@millrace/engine';
import { RECORD_BYTES, type RecordChunks } from './record-chunks.ts';

export function memoryInjector(partitions: readonly SourcePartition[]): InjectorConnector {
  return { open: async () => ({ partitions, close: async () => undefined }) };
}

export function endlessPartition(name: string, chunks: RecordChunks): SourcePartition {
  const chunkBytes = chunks.recordsPerChunk * RECORD_BYTES;
  return {
    name,
    async *read(offset, signal): AsyncIterable<SourceChunk> {
      let index = Math.floor(offset / chunkBytes);
      let skip = offset - index * chunkBytes;
      while (!signal.aborted) {
        const bytes = chunks.chunk(index);
        yield { kind: 'bytes', offset: index * chunkBytes + skip, bytes: bytes.subarray(skip) };
        index++;
        skip = 0;
      }
    },
  };
}

export interface Pace {
  readonly recordsPerSecond: number;
  /** Makes records `first … first + count - 1`; record `n` was due `dueUs(n)` after the beginning. */
  records(first: number, count: number): Uint8Array;
  /** `performance.now()` at which record 0 is due. */
  readonly beginAt: number;
}

const LARGEST_PACED = 2_600;

/** Hands out what is due, at every turn of the timer (about each millisecond). Starts at its beginning only. */
export function pacedPartition(name: string, pace: Pace): SourcePartition {
  return {
    name,
    async *read(_offset, signal): AsyncIterable<SourceChunk> {
      let given = 0;
      while (!signal.aborted) {
        const due = Math.floor(((performance.now() - pace.beginAt) / 1000) * pace.recordsPerSecond) - given;
        if (due < 1) {
          await new Promise((resolve) => setTimeout(resolve, 1));
          continue;
        }
        const count = Math.min(due, LARGEST_PACED);
        yield { kind: 'bytes', offset: given * RECORD_BYTES, bytes: pace.records(given, count) };
        given += count;
      }
    },
  };
}
