/** `ctx.map(name)`: one named map of the call's key. It reads and writes through the call. */
import type { EntriesOptions, MapKey, StateMap } from '../api.ts';
import { ABSENT, firstNotBefore, type KeyMap } from './key-entry.ts';
import { copyData } from './plain-data.ts';

/** The call's side of its maps. `C` is the call; a dead one throws. */
export interface MapAccess<C> {
  /** Value of one entry, `ABSENT` when there is none; abandons the call when it must be fetched. */
  read(call: C, map: KeyMap, key: MapKey): unknown;
  /** Makes every entry of the map readable, or abandons the call. */
  needWhole(call: C, map: KeyMap): void;
  /** `ABSENT` removes the entry. */
  write(call: C, map: KeyMap, key: MapKey, value: unknown): void;
}

export class MapHandle<C> implements StateMap<unknown> {
  readonly #access: MapAccess<C>;
  readonly #call: C;
  readonly #map: KeyMap;
  readonly #shared: boolean;

  /** `shared`: values go in and out without a copy. */
  constructor(access: MapAccess<C>, call: C, map: KeyMap, shared: boolean) {
    this.#access = access;
    this.#call = call;
    this.#map = map;
    this.#shared = shared;
  }

  get(key: MapKey): unknown {
    const value = this.#access.read(this.#call, this.#map, key);
    if (value === ABSENT) return undefined;
    return this.#shared ? value : copyData(value);
  }

  has(key: MapKey): boolean {
    return this.#access.read(this.#call, this.#map, key) !== ABSENT;
  }

  set(key: MapKey, value: unknown): void {
    if (value === undefined)
      throw new TypeError(`map "${this.#map.name}": undefined cannot be stored; use delete`);
    const copy = this.#shared ? value : copyData(value, `map "${this.#map.name}"`);
    this.#access.write(this.#call, this.#map, key, copy);
  }

  delete(key: MapKey): void {
    this.#access.write(this.#call, this.#map, key, ABSENT);
  }

  deleteRange(from?: MapKey, to?: MapKey): void {
    this.#access.needWhole(this.#call, this.#map);
    for (const key of range(this.#map, { from, to })) this.#access.write(this.#call, this.#map, key, ABSENT);
  }

  entries(options: EntriesOptions = {}): Iterable<[MapKey, unknown]> & AsyncIterable<[MapKey, unknown]> {
    this.#access.needWhole(this.#call, this.#map);
    const map = this.#map;
    const shared = this.#shared;
    const keys = range(map, options);
    function* each(): Generator<[MapKey, unknown]> {
      for (const key of keys) {
        // An entry may be deleted while one iterates.
        const value = map.entries.get(key);
        if (value !== undefined && value !== ABSENT) yield [key, shared ? value : copyData(value)];
      }
    }
    return {
      [Symbol.iterator]: each,
      async *[Symbol.asyncIterator]() {
        yield* each();
      },
    };
  }

  get size(): number {
    this.#access.needWhole(this.#call, this.#map);
    return this.#map.size;
  }
}

// Handlers reach it through what they are given; one call must not change what the next one finds.
Object.freeze(MapHandle);
Object.freeze(MapHandle.prototype);

function range(map: KeyMap, options: EntriesOptions): MapKey[] {
  const { from, to, limit, reverse } = options;
  const sorted = map.sortedKeys();
  const start = from === undefined ? 0 : firstNotBefore(sorted, from);
  const end = to === undefined ? sorted.length : firstNotBefore(sorted, to);
  if (limit === undefined) return reverse ? sorted.slice(start, end).reverse() : sorted.slice(start, end);
  const most = Math.max(0, Math.floor(limit));
  return reverse
    ? sorted.slice(Math.max(start, end - most), end).reverse()
    : sorted.slice(start, Math.min(end, start + most));
}
