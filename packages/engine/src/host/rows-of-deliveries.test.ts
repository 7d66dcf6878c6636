import { ByteWriter, encodeSinkRow, openSinkText } from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import type { Delivery } from './deliveries.ts';
import { rowsOf, textsOf } from './rows-of-deliveries.ts';

const LINES = ['{"value":1}', '{"value":"é"}'];
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytesOf = (line: string): Uint8Array => new TextEncoder().encode(line);

function delivery(position: number, write: (w: ByteWriter) => void): Delivery {
  const w = new ByteWriter();
  write(w);
  const batch = { node: 1, stream: 0, slot: 65535, count: LINES.length, bytes: w.take() };
  return { position, batches: [batch, batch], bytes: 0, since: 0, origin: 0, saved: false, committed: true };
}

const asText = delivery(7, (w) => {
  openSinkText(w);
  for (const line of LINES) w.raw(bytesOf(`${line}\n`));
});
const asRows = delivery(8, (w) => {
  for (const line of LINES)
    encodeSinkRow(w, { id: `id of ${line}`, key: 'k', timestamp: 5, bytes: bytesOf(line) });
});

describe('what a sink is given', () => {
  it('is the text that the worker wrote, or the same made of rows', () => {
    const texts = textsOf([asText, asRows]);
    expect(texts.map(({ position }) => position)).toEqual([7, 7, 8, 8]);
    for (const { bytes } of texts) expect(text(bytes)).toBe(`${LINES.join('\n')}\n`);
  });

  it('is rows with the ids they came with, numbered within their position', () => {
    const rows = rowsOf([asRows], () => 's_1');
    expect(rows.map(({ recordId }) => recordId)).toEqual([...LINES, ...LINES].map((line) => `id of ${line}`));
    expect(rows.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2, 3]);
    expect(rows[0]).toMatchObject({ position: 8, stream: 's_1', key: 'k', timestamp: 5 });
  });

  it('is rows named by their place where only a text is left', () => {
    const rows = rowsOf([asText], () => undefined);
    expect(rows.map(({ recordId }) => recordId)).toEqual(['7/0', '7/1', '7/2', '7/3']);
    expect(rows.map(({ bytes }) => text(bytes))).toEqual([...LINES, ...LINES]);
  });
});
