/** The latest samples of every stream of a pipeline, bounded (editor.md "Trace"). */
import type { SampledRecord, TapRecord } from '@millrace/protocol';

const RECORDS = 200;
const STREAM_BYTES = 1024 * 1024;
const PIPELINE_BYTES = 64 * 1024 * 1024;
/** Beside its texts; a text takes two bytes a unit at worst. */
const RECORD_BYTES = 200;

/** `at`: wall time at which its bundle was seen to be committed. */
export type KeptRecord = SampledRecord & { readonly at: number };

export class RecentRecords {
  readonly #rings: { records: KeptRecord[]; bytes: number }[];
  readonly #mostBytes: number;

  constructor(streams: number) {
    this.#rings = Array.from({ length: streams }, () => ({ records: [], bytes: 0 }));
    this.#mostBytes = Math.min(STREAM_BYTES, Math.floor(PIPELINE_BYTES / Math.max(1, streams)));
  }

  add(stream: number, records: readonly SampledRecord[], at: number): void {
    const ring = this.#rings[stream];
    if (ring === undefined) return;
    for (const record of records) {
      ring.records.push({ ...record, at });
      ring.bytes += bytesOf(record);
    }
    let gone = 0;
    while (ring.records.length - gone > RECORDS || ring.bytes > this.#mostBytes) {
      const oldest = ring.records[gone];
      if (oldest === undefined) break;
      ring.bytes -= bytesOf(oldest);
      gone++;
    }
    if (gone > 0) ring.records.splice(0, gone);
  }

  /** Oldest first. */
  of(stream: number): readonly KeptRecord[] {
    return [...(this.#rings[stream]?.records ?? [])];
  }
}

const bytesOf = (record: SampledRecord): number =>
  record.way.reduce((sum, ancestor) => sum + bytesOfOne(ancestor), bytesOfOne(record));

function bytesOfOne({ text, key, id }: TapRecord): number {
  return RECORD_BYTES + 2 * (text.length + key.length + id.length);
}
