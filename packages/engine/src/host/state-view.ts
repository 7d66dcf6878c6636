/** What is stored under a key, made readable: JSON text, bounded, whatever a worker has written. */
import {
  ByteReader,
  decodeText,
  decodeValue,
  readKeyPrefix,
  readParkedSequence,
  readStateKey,
} from '@millrace/protocol';
import { ownTag, timerNamed } from '@millrace/sdk/runtime';
import { type CappedText, cappedJson } from '../worker/capped-json.ts';
import { decodeParked, decodeState, decodeTimer } from '../worker/stored-entries.ts';
import { readable } from './readable.ts';
import type { RawEntry, RawKey } from './state-browser.ts';

/** `text` is absent where the value is too large to be read, or is none. */
export interface ShownValue {
  readonly bytes: number;
  readonly text?: string;
  readonly cut: boolean;
}

export interface KeyView {
  readonly position: number;
  readonly state?: ShownValue & { readonly version: number };
  readonly holdUntil?: number;
  readonly maps: readonly {
    readonly name: string;
    readonly entries: readonly (ShownValue & { readonly key: string | number })[];
  }[];
  readonly timers: readonly {
    readonly clock: 'watermark' | 'wall';
    readonly tag: string;
    readonly time: number;
    readonly hold?: number;
  }[];
  readonly waiting: readonly (ShownValue & {
    readonly id: string;
    readonly port: string;
    readonly timestamp: number;
    readonly late: boolean;
    readonly sequence: number;
  })[];
  readonly changed?: 'unfolded' | number;
  readonly incomplete: boolean;
}

const MOST_TEXT = 64 * 1024;
const LONGEST_NAME = 1024;

export function viewOfKey(raw: RawKey): KeyView {
  const maps = new Map<string, (ShownValue & { key: string | number })[]>();
  const timers = raw.timers.flatMap((entry) => readable(() => timer(idOf(entry.key), entry)) ?? []);
  let state: KeyView['state'];
  for (const entry of raw.state) {
    const place = readable(() => readStateKey(entry.key, readKeyPrefix(entry.key).end));
    if (place?.kind === 'state') {
      const stored =
        entry.value.length === 0 ? undefined : readable(() => decodeState(new ByteReader(entry.value)));
      state = { ...shown(entry, stored && { value: stored.value }), version: stored?.version ?? 0 };
    } else if (place?.kind === 'timer') {
      const far = readable(() => timer(place.id, entry));
      if (far !== undefined) timers.push(far);
    } else if (place?.kind === 'map') {
      const value = readable(() => ({ value: decodeValue(new ByteReader(entry.value)) }));
      const entries = maps.get(place.map) ?? [];
      maps.set(place.map, entries);
      entries.push({ key: short(place.key), ...shown(entry, value) });
    }
  }
  const hold = raw.holds[0];
  const holdUntil = hold && readable(() => new ByteReader(hold.value).f64());
  return {
    position: raw.position,
    ...(state === undefined ? {} : { state }),
    ...(holdUntil === undefined ? {} : { holdUntil }),
    maps: [...maps].map(([name, entries]) => ({ name: name.slice(0, LONGEST_NAME), entries })),
    timers,
    waiting: raw.parked.flatMap((entry) => readable(() => waiting(entry)) ?? []),
    ...(raw.changed === undefined ? {} : { changed: raw.changed }),
    incomplete: raw.incomplete,
  };
}

function idOf(key: Uint8Array): string {
  return decodeText(key.subarray(readKeyPrefix(key).end));
}

function timer(id: string, { value }: RawEntry): KeyView['timers'][number] {
  const { time, hold } = decodeTimer(new ByteReader(value));
  const { clock, tag } = timerNamed(id);
  return {
    clock,
    tag: ownTag(tag).slice(0, LONGEST_NAME),
    time,
    ...(hold === undefined ? {} : { hold }),
  };
}

function waiting(entry: RawEntry): KeyView['waiting'][number] {
  const { late, stream, record } = decodeParked(new ByteReader(entry.value));
  return {
    id: record.id.slice(0, LONGEST_NAME),
    port: stream,
    timestamp: record.timestamp,
    late,
    sequence: readParkedSequence(entry.key, readKeyPrefix(entry.key).end),
    ...shown(entry, { value: record.value }),
  };
}

function shown({ bytes }: RawEntry, decoded: { value: unknown } | undefined): ShownValue {
  if (decoded === undefined) return { bytes, cut: true };
  const { text, cut }: CappedText = cappedJson(decoded.value, MOST_TEXT);
  return { bytes, text, cut };
}

function short(key: string | number): string | number {
  return typeof key === 'string' ? key.slice(0, LONGEST_NAME) : key;
}
