import {
  type Batch,
  BundleBodyWriter,
  keyPrefix,
  META_SPACE,
  metaKeys,
  SINK_SLOT,
  spaceOf,
  stateKey,
} from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import { planOf } from '../testing/plans.ts';
import { frameRules } from './frame-rules.ts';

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector' },
    { id: 'n_a', kind: 'computation' },
    { id: 'n_out', kind: 'sink' },
  ],
  [
    { from: 'n_in', to: 'n_a' },
    { from: 'n_a', to: 'n_out' },
  ],
);
const rules = frameRules({ plan, slot: 1, slots: 2, nodeNumbers: [11, 12, 13] });
const own = stateKey(keyPrefix('k', { high: 0x80000000, low: 0 }));
const foreign = stateKey(keyPrefix('k', { high: 0x7fffffff, low: 0 }));
const one = Uint8Array.of(1);
const letter = {
  id: 'i',
  node: 'n_a',
  input: '1',
  error: 'e',
  stack: '',
  origin: 'o',
  version: 1,
  attempts: 3,
};

const check = (write: (body: BundleBodyWriter) => void) => () => {
  const body = new BundleBodyWriter();
  write(body);
  return rules.check(body.take());
};
const batch = (more: Partial<Batch>) =>
  check((body) => body.batch({ node: 1, stream: 0, slot: 0, count: 1, bytes: one, ...more }));
const meta = (key: string | Uint8Array) =>
  check((body) => body.put(META_SPACE, typeof key === 'string' ? Buffer.from(key) : key, one));
const deadLetter = (json: unknown) => check((body) => body.deadLetter(JSON.stringify(json)));

describe('frame rules', () => {
  it('take what a worker may write: its keys, its marks, its batches, its dead letters', () => {
    for (const kind of ['state', 'timers', 'parked', 'holds'] as const)
      expect(check((body) => body.put(spaceOf(12, kind), own, one))).not.toThrow();
    expect(check((body) => body.remove(spaceOf(12, 'state'), own))).not.toThrow();
    for (const key of [
      metaKeys.source(11, 'a/b'),
      metaKeys.watermarks(1, 12),
      metaKeys.counters(1, 13),
      metaKeys.delivered(1),
    ])
      expect(meta(key)).not.toThrow();
    expect(batch({})).not.toThrow();
    expect(batch({ node: 2, stream: 1, slot: SINK_SLOT })).not.toThrow();
    expect(deadLetter(letter)).not.toThrow();
  });

  it('P6: refuse keys of an interval that another worker owns, put or removed, and keys without a hash', () => {
    expect(check((body) => body.put(spaceOf(12, 'state'), foreign, one))).toThrow('does not own');
    expect(check((body) => body.remove(spaceOf(12, 'timers'), foreign))).toThrow('does not own');
    expect(check((body) => body.put(spaceOf(12, 'state'), own.subarray(0, 9), one))).toThrow('hash');
  });

  it('refuse the spaces of injectors, sinks, nodes that are not there and other pipelines', () => {
    for (const number of [0, 11, 13, 14, 1_000_000])
      expect(check((body) => body.put(spaceOf(number, 'holds'), own, one))).toThrow();
  });

  it('refuse marks, watermarks and counters of other workers and nodes, and what is the host’s alone', () => {
    for (const key of [
      metaKeys.source(14, 'p'),
      metaKeys.watermarks(0, 12),
      metaKeys.watermarks(1, 99),
      metaKeys.counters(0, 12),
      metaKeys.delivered(0),
      metaKeys.workers(),
      metaKeys.released(),
      metaKeys.nodeNumber('n_a'),
      'delivered/1/x',
      '',
    ])
      expect(meta(key)).toThrow('not this worker');
  });

  it('refuse batches on streams that do not lead there, to slots that are not there, and sinks mistaken for workers', () => {
    for (const more of [
      { node: 2 },
      { stream: 1 },
      { stream: 9 },
      { node: 9 },
      { slot: 2 },
      { slot: SINK_SLOT },
      { node: 2, stream: 1, slot: 0 },
    ])
      expect(batch(more)).toThrow(/a batch for/);
  });

  it('refuse dead letters that are no dead letters', () => {
    for (const bad of [
      null,
      [],
      'x',
      {},
      { ...letter, node: 1 },
      { ...letter, key: 1 },
      { ...letter, timestamp: 'soon' },
      { ...letter, state: {} },
    ])
      expect(deadLetter(bad)).toThrow();
    expect(check((body) => body.deadLetter('{'))).toThrow();
  });
});
