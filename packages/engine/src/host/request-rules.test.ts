import {
  ByteWriter,
  encodeRemembered,
  type RememberedRequest,
  requestKey,
  requestTimeKey,
  spaceOf,
} from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import { planOf } from '../testing/plans.ts';
import { requestRules } from './request-rules.ts';

const plan = planOf(
  [
    { id: 'n_http', kind: 'injector', type: 'injector/http' },
    { id: 'n_file', kind: 'injector', type: 'injector/file' },
  ],
  [],
);
const nodeNumbers = [5, 6];
const [requests, times] = [spaceOf(5, 'requests'), spaceOf(5, 'requestTimes')];
const rules = requestRules({
  plan,
  nodeNumbers,
  partitions: [
    { node: 0, name: '0' },
    { node: 1, name: 'a' },
  ],
});
const entry = (more: Partial<RememberedRequest> = {}) => {
  const w = new ByteWriter();
  const whole = {
    digest: new Uint8Array(32),
    since: 1,
    done: true,
    through: 1,
    accepted: 1,
    rejected: [],
    unlisted: 0,
  };
  encodeRemembered(w, { ...whole, ...more });
  return w.take();
};

describe('what a worker may write of requests', () => {
  it('H2: only of an injector whose requests come to it', () => {
    expect([...rules.keys()].sort()).toEqual([requests, times].sort());
    expect(requestRules({ plan, nodeNumbers, partitions: [] }).size).toBe(0);
  });

  it('H5: entries that can be read again, under keys that a client can have sent', () => {
    const check = (key: Uint8Array, value: Uint8Array | undefined) => () => rules.get(requests)?.(key, value);
    expect(check(requestKey('k'), entry())).not.toThrow();
    for (const [key, value] of [
      ['k', undefined],
      ['', entry()],
      ['k'.repeat(2_000), entry()],
      ['k', new Uint8Array(0)],
      ['k', Uint8Array.of(...entry(), 0)],
      ['k', entry().subarray(0, -1)],
      ['k', entry({ digest: new Uint8Array(3) })],
      ['k', entry({ since: Number.NaN })],
      ['k', entry({ rejected: [{ index: 0, reason: 'x'.repeat(1_000) }] })],
      ['k', entry({ rejected: Array.from({ length: 501 }, (_, index) => ({ index, reason: '' })) })],
    ] as const)
      expect(check(requestKey(key), value), `${key.slice(0, 9)} ${value?.length}`).toThrow();
  });

  it('H5: times that say when, and of which key', () => {
    const check = (key: Uint8Array, value: Uint8Array | undefined) => () => rules.get(times)?.(key, value);
    const none = new Uint8Array(0);
    expect(check(requestTimeKey(1_700_000_000_000, 'k'), none)).not.toThrow();
    for (const [key, value] of [
      [requestTimeKey(1, ''), none],
      [none, none],
      [requestTimeKey(1, 'k'), Uint8Array.of(1)],
      [requestTimeKey(1, 'k'), undefined],
    ] as const)
      expect(check(key, value)).toThrow();
  });
});
