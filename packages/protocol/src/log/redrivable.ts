/**
 * What a dead letter keeps of the input that failed, so that it can be delivered again as it was: what is shown to
 * people has lost its dates and bytes. `bytes` is base64.
 */
import type { ByteReader } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';
import { decodeValue, encodeValue } from '../bytes/value-codec.ts';

export type Redrivable =
  /** A stored record, keyed for the node it died at; `port` is the input it came in on. */
  | { readonly kind: 'record'; readonly port: string; readonly bytes: string }
  /** A stored record with its sender's key: its consumer's could not be made. */
  | { readonly kind: 'unkeyed'; readonly stream: string; readonly bytes: string }
  /** A timer of a key whose firing failed. */
  | ({ readonly kind: 'timer' } & TimerPiece)
  /** A row that a sink's target refused. */
  | { readonly kind: 'row'; readonly stream?: string | undefined; readonly bytes: string }
  | ({ readonly kind: 'source' } & SourcePiece);

/** A timer as it was armed. */
export interface TimerPiece {
  readonly key: string;
  readonly clock: 'watermark' | 'wall';
  readonly tag: string;
  /** ms on its clock. */
  readonly time: number;
  readonly hold?: number | undefined;
  /** What armed it, and the how-manieth arming of that call it was: its firing's id comes of them. */
  readonly armedBy: string;
  readonly armOrdinal: number;
}

/** A piece of what an injector was given. */
export interface SourcePiece {
  /** The partition, or the id of the posted request. */
  readonly place: string;
  /** What stands between place and position in the record's id. */
  readonly mark: '@' | '/';
  readonly position: number;
  /** `text`: as it stood in the source; `value`: the record as JSON; `ordinal`: nothing but its position and time. */
  readonly form: 'text' | 'value' | 'ordinal';
  readonly text: string;
  /** Wall time at which it was due or came in, where that may stamp it. */
  readonly time?: number | undefined;
}

/** In a batch, in place of a stream: source pieces for an injector, timers for a computation. */
export const OUTSIDE = 0xffff_ffff;
/** An input with more than this is set aside for good. */
export const LARGEST_REDRIVABLE = 4 * 1024 * 1024;

/** Throws for what is none; whether `bytes` hold what they should is found when they are read. */
export function checkRedrivable(value: unknown): asserts value is Redrivable {
  if (typeof value !== 'object' || value === null) throw new Error('what is to be redriven is no object');
  const given = value as Record<string, unknown>;
  const texts = TEXTS[given.kind as Redrivable['kind']];
  if (!Object.hasOwn(TEXTS, String(given.kind)) || !texts.every((name) => typeof given[name] === 'string'))
    throw new Error('what is to be redriven is of no known kind');
  if (given.kind === 'row' && given.stream !== undefined && typeof given.stream !== 'string')
    throw new Error('a row of no stream');
  if (given.kind === 'source') checkPiece(given);
  if (given.kind === 'timer') checkTimer(given);
}

export function encodeSourcePiece(
  w: ByteWriter,
  { place, mark, position, form, text, time }: SourcePiece,
): void {
  encodeValue(w, { place, mark, position, form, text, time });
}

export function decodeSourcePiece(r: ByteReader): SourcePiece {
  const value = decodeValue(r);
  checkRedrivable({ ...(value as object), kind: 'source' });
  return value as SourcePiece;
}

export function encodeTimerPiece(w: ByteWriter, piece: TimerPiece): void {
  const { key, clock, tag, time, hold, armedBy, armOrdinal } = piece;
  encodeValue(w, { key, clock, tag, time, hold, armedBy, armOrdinal });
}

export function decodeTimerPiece(r: ByteReader): TimerPiece {
  const value = decodeValue(r);
  checkRedrivable({ ...(value as object), kind: 'timer' });
  return value as TimerPiece;
}

const TEXTS: Readonly<Record<Redrivable['kind'], readonly string[]>> = {
  record: ['port', 'bytes'],
  unkeyed: ['stream', 'bytes'],
  row: ['bytes'],
  timer: ['key', 'clock', 'tag', 'armedBy'],
  source: ['place', 'mark', 'form', 'text'],
};

function checkTimer({ clock, time, hold, armOrdinal }: Record<string, unknown>): void {
  if (clock !== 'watermark' && clock !== 'wall') throw new Error('a timer on no known clock');
  if (!Number.isFinite(time) || (hold !== undefined && !Number.isFinite(hold)))
    throw new Error('a timer at no time');
  if (!(Number.isSafeInteger(armOrdinal) && (armOrdinal as number) >= 0))
    throw new Error('a timer that was never armed');
}

function checkPiece({ mark, form, position, time }: Record<string, unknown>): void {
  if (mark !== '@' && mark !== '/') throw new Error('a piece of a source at no place');
  if (form !== 'text' && form !== 'value' && form !== 'ordinal')
    throw new Error('a piece of a source in no known form');
  if (!(Number.isSafeInteger(position) && (position as number) >= 0))
    throw new Error('a piece of a source at no position');
  if (time !== undefined && !Number.isFinite(time)) throw new Error('a piece of a source at no time');
}
