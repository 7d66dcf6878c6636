import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader, MalformedBytes } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { decodeRecord, decodeSinkRow, encodeRecord, encodeSinkRow } from './record-codec.ts';

const text = fc.string({ unit: 'binary', maxLength: 80 });
const pane = fc.record(
  {
    start: fc.maxSafeInteger(),
    end: fc.maxSafeInteger(),
    index: fc.nat(),
    timing: fc.constantFrom('early' as const, 'on-time' as const, 'late' as const),
    last: fc.boolean(),
    retracts: fc.constant(true as const),
  },
  { requiredKeys: ['start', 'end', 'index', 'timing', 'last'] },
);
const record = fc.record({
  key: text,
  timestamp: fc.maxSafeInteger(),
  id: text,
  value: fc.jsonValue(),
  pane: fc.option(pane, { nil: undefined }),
});

describe('records as bytes', () => {
  it('W8, N5: round-trip with negative times and every pane, several behind each other', () => {
    fc.assert(
      fc.property(fc.array(record), (records) => {
        const w = new ByteWriter();
        for (const each of records) encodeRecord(w, each);
        const r = new ByteReader(w.take());
        for (const each of records) expect(decodeRecord(r)).toEqual(each);
        expect(r.done).toBe(true);
      }),
    );
  });

  it('sink rows round-trip, an empty line too', () => {
    const row = fc.record({ id: text, key: text, timestamp: fc.maxSafeInteger(), bytes: fc.uint8Array() });
    fc.assert(
      fc.property(row, (each) => {
        const w = new ByteWriter();
        encodeSinkRow(w, each);
        expect(decodeSinkRow(new ByteReader(w.take()))).toEqual(each);
      }),
    );
  });

  it('cut anywhere are MalformedBytes', () => {
    fc.assert(
      fc.property(record, fc.nat(), (each, at) => {
        const w = new ByteWriter();
        encodeRecord(w, each);
        const bytes = w.take();
        expect(() => decodeRecord(new ByteReader(bytes.subarray(0, at % bytes.length)))).toThrow(
          MalformedBytes,
        );
      }),
    );
  });
});
