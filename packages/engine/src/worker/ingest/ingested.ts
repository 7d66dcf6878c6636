/** What the ingest stage makes of the pieces of a partition: records, and what is set aside of them. */
import type { SourcePiece } from '@millrace/protocol';
import type { Pane } from '@millrace/sdk';
import { jsonText, textOf } from '../json-text.ts';
import type { Scanned } from './scanned.ts';

export type Ingested =
  /** A record of a request that an earlier commit has decided. */
  | { readonly kind: 'skipped' }
  | {
      readonly kind: 'record';
      readonly value: unknown;
      readonly timestamp: number;
      readonly position: number;
      /** Of a row of a table: for which time it stands. */
      readonly pane: Pane | undefined;
    }
  | {
      readonly kind: 'set-aside';
      /** The record as JSON text; a piece that is no record, as a JSON string. */
      readonly input: string;
      readonly position: number;
      readonly error: unknown;
      readonly future: boolean;
      /** What is to be read should it be tried again; undefined where that is not kept. */
      readonly again: PieceAgain | undefined;
    };

export type PieceAgain = Pick<SourcePiece, 'form' | 'text' | 'time'>;

export function refused(
  input: string,
  position: number,
  error: unknown,
  again: () => PieceAgain | undefined,
): Ingested {
  return { kind: 'set-aside', input, position, error, future: false, again: again() };
}

export function broken(
  { text, error, cut }: Extract<Scanned, { kind: 'broken' }>,
  position: number,
): Ingested {
  return refused(textOf(text), position, error, () => (cut ? undefined : { form: 'text', text }));
}

/** Source records are JSON, or rows of what JSON can say. */
export function valueAgain(value: unknown, time: number | undefined): PieceAgain | undefined {
  try {
    return { form: 'value', text: jsonText(value), time };
  } catch {
    return undefined;
  }
}

export function isoOf(time: number): string {
  return new Date(time).toISOString();
}
