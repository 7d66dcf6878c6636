import {
  BundleBodyWriter,
  forEachChange,
  readBundleBody,
  readKeyPrefix,
  type SpaceKind,
  spaceOf,
  startsWith,
} from '@millrace/protocol';
import { type Computation, computation } from '@millrace/sdk';
import { ComputationRuntime, DeliveredRecord } from '@millrace/sdk/runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ComputationStage } from './computation-stage.ts';
import { createHasher } from './key-hash.ts';
import { StageSeal } from './sealer.ts';

const hasher = await createHasher();
const NODE = 3;

interface Deed {
  readonly state?: unknown;
  readonly hold?: number | undefined;
  readonly maps?: readonly (readonly [string, string | number, unknown])[];
  readonly timers?: readonly (readonly [string, number, 'watermark' | 'wall'])[];
  readonly fails?: boolean;
}

const deeds = computation({
  processRecord(record: { value: Deed }, ctx: never) {
    const c = ctx as {
      state: { set(v: unknown, o: object): void; clear(): void };
      map(name: string): { set(k: string | number, v: unknown): void; delete(k: string | number): void };
      setTimer(tag: string, time: number, options: object): void;
    };
    const { state, hold, maps = [], timers = [], fails } = record.value;
    if (fails) throw new Error('no');
    if (state !== undefined) c.state.set(state, hold === undefined ? {} : { holdUntil: hold });
    else c.state.clear();
    for (const [name, key, value] of maps)
      if (value === null) c.map(name).delete(key);
      else c.map(name).set(key, value);
    for (const [tag, time, clock] of timers) c.setTimer(tag, time, { clock });
  },
  processTimer() {},
} as never) as Computation;

class Incarnation {
  readonly runtime: ComputationRuntime;
  readonly seal: StageSeal;

  constructor(storeIsEmpty: boolean) {
    this.runtime = new ComputationRuntime(
      deeds,
      {
        now: () => 0,
        deriveId: hasher.deriveId,
        prepare: () => undefined,
        emit: () => undefined,
        deadLetter: () => undefined,
        log: () => undefined,
        count: () => undefined,
        wake: () => undefined,
        beforeCall: () => undefined,
        afterFailure: () => undefined,
      },
      { computationId: 'n_a', params: {}, storeIsEmpty },
    );
    // The sealer reads nothing else of a stage.
    this.seal = new StageSeal({ runtime: this.runtime, stateVersion: 1 } as ComputationStage, NODE, hasher);
  }

  picture(keys: readonly string[]): unknown {
    return keys.map((key) => {
      const entry = this.runtime.keys.peek(key);
      return {
        key,
        state: entry?.hasState ? entry.state : undefined,
        hold: entry?.holdUntil,
        maps: [...(entry?.maps ?? [])]
          .map(([name, map]) => [name, map.sortedKeys().map((k) => [k, map.entries.get(k)])] as const)
          .filter(([, entries]) => entries.length > 0)
          .sort(),
        timers: [...(entry?.timers?.values() ?? [])]
          .map(({ clock, tag, time, hold }) => [clock, tag, time, hold])
          .sort(),
        waiting: [...(entry?.waiting ?? [])].map(({ input }) =>
          'id' in input ? [input.id, input.late, input.value] : 0,
        ),
      };
    });
  }
}

class Store {
  readonly rows = new Map<string, { space: number; key: Uint8Array; value: Uint8Array }>();

  take(incarnation: Incarnation, bundle: number): void {
    const writer = new BundleBodyWriter();
    incarnation.seal.seal(writer, bundle);
    forEachChange(readBundleBody(writer.take()), (change) => {
      const id = `${change.space}/${Buffer.from(change.key).toString('hex')}`;
      if (change.value === undefined) this.rows.delete(id);
      else this.rows.set(id, { space: change.space, key: change.key.slice(), value: change.value.slice() });
    });
  }

  of(kind: SpaceKind) {
    const rows = [...this.rows.values()].filter((row) => row.space === spaceOf(NODE, kind));
    return rows.sort((a, b) => Buffer.compare(a.key, b.key));
  }

  /** A new incarnation, with the content of the given keys fetched. */
  restore(keys: readonly string[]): Incarnation {
    const next = new Incarnation(false);
    for (const { key, value } of this.of('holds')) next.seal.restoreHold(key, value);
    for (const { key, value } of this.of('timers')) next.seal.timers.restoreNear(key, value);
    for (const { key, value } of this.of('parked')) next.seal.restoreParked(key, value);
    for (const key of keys) {
      const entry = next.runtime.keys.at(key);
      const prefix = next.seal.prefixOf(entry);
      next.seal.load(
        entry,
        this.of('state').filter((row) => startsWith(row.key, prefix)),
        true,
      );
    }
    return next;
  }
}

const text = fc.constantFrom('', 'k', 'k\u0000', '__proto__', '\ud800', '\ud801', 'é');
const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.bigInt(), fc.date({ noInvalidDate: true }));
const deed: fc.Arbitrary<Deed> = fc.record({
  state: fc.option(value, { nil: undefined }),
  hold: fc.option(fc.nat(50), { nil: undefined }),
  maps: fc.array(fc.tuple(text, fc.oneof(text, fc.maxSafeInteger()), fc.option(fc.nat(5), { nil: null })), {
    maxLength: 4,
  }),
  timers: fc.array(
    fc.tuple(text, fc.integer({ min: -9, max: 99 }), fc.constantFrom('watermark' as const, 'wall' as const)),
    { maxLength: 3 },
  ),
  fails: fc.boolean(),
});

describe('StageSeal', () => {
  it('I-POST, Y5: state, maps, timers, holds and parked inputs are after a restore what they were, sealed often or once', () => {
    const KEYS = ['a', '', 'k\u0000', '__proto__'];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...KEYS), deed, fc.boolean()), { maxLength: 12 }),
        (steps) => {
          const [first, store, once] = [new Incarnation(true), new Store(), new Store()];
          const twin = new Incarnation(true);
          steps.forEach(([key, each, seals], i) => {
            const record = () =>
              new DeliveredRecord(key, each, 5, 'in', undefined, undefined, `r${i}`, undefined, 0);
            first.runtime.deliver(record());
            twin.runtime.deliver(record());
            if (seals) store.take(first, i);
          });
          store.take(first, 99);
          once.take(twin, 99);
          const restored = store.restore(KEYS);
          expect(restored.picture(KEYS)).toEqual(first.picture(KEYS));
          expect(once.restore(KEYS).picture(KEYS)).toEqual(first.picture(KEYS));
          expect(restored.runtime.holds.min()).toBe(first.runtime.holds.min());
          expect(restored.runtime.waiting).toBe(first.runtime.waiting);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('P12: a parked input is as read-only after a restore as it was', () => {
    const [first, store] = [new Incarnation(true), new Store()];
    const failing: Deed = { maps: [], timers: [], fails: true };
    first.runtime.deliver(
      new DeliveredRecord('k', failing, 5, 'in', undefined, undefined, 'r', undefined, 0),
    );
    store.take(first, 1);
    const [item] = [...(store.restore(['k']).runtime.keys.peek('k')?.waiting ?? [])];
    const restored = item !== undefined && 'value' in item.input ? (item.input.value as Deed) : undefined;
    expect(restored).toEqual(failing);
    expect(Object.isFrozen(restored) && Object.isFrozen(restored?.maps)).toBe(true);
  });

  it('KC1: a key of which nothing is left leaves no row, and is forgotten once that is committed', () => {
    const [first, store] = [new Incarnation(true), new Store()];
    const deliver = (each: Deed) =>
      first.runtime.deliver(new DeliveredRecord('k', each, 5, 'in', undefined, undefined, 'r', undefined, 0));
    deliver({ state: 1, hold: 9, maps: [['m', 1, 1]] });
    store.take(first, 1);
    expect(store.rows.size).toBe(3);
    expect(readKeyPrefix(store.of('holds')[0]?.key as Uint8Array).key).toBe('k');
    deliver({ maps: [['m', 1, null]] });
    store.take(first, 2);
    expect([store.rows.size, first.runtime.keys.size]).toEqual([0, 1]);
    first.seal.committed(1);
    expect(first.runtime.keys.size).toBe(1);
    deliver({ state: 2 });
    store.take(first, 3);
    deliver({});
    store.take(first, 4);
    first.seal.committed(2);
    expect(first.runtime.keys.size).toBe(1);
    first.seal.committed(4);
    expect(first.runtime.keys.size).toBe(0);
  });
});
