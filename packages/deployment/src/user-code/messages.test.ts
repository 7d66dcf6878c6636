import { describe, expect, it } from 'vitest';
import { encodeMessage, readReply } from './messages.ts';

const read = (value: unknown) => readReply(new TextEncoder().encode(JSON.stringify(value)));

describe('a reply of the worker', () => {
  it('is read back as it was said', () => {
    const facts = { stateless: true, stateVersion: 2, stateShape: '1h', migrates: false };
    for (const reply of [
      { id: 1, kind: 'loaded' },
      { id: 2, kind: 'facts', facts: [['__proto__', facts]] },
      { id: 3, kind: 'case', differences: ['a'] },
      { id: 4, kind: 'failed', error: 'no' },
    ] as const) {
      expect(readReply(encodeMessage(reply))).toEqual(reply);
    }
  });

  it('is nothing when it is forged', () => {
    expect(readReply(Uint8Array.of(0xff))).toBeUndefined();
    for (const forged of [
      null,
      [],
      7,
      { kind: 'loaded' },
      { id: '1', kind: 'loaded' },
      { id: 1, kind: 'other' },
      { id: 1, kind: 'case', differences: 'x' },
      { id: 1, kind: 'facts', facts: [['n', null]] },
      { id: 1, kind: 'facts', facts: [[1, { stateVersion: 1 }]] },
    ]) {
      expect(read(forged)).toBeUndefined();
    }
  });

  it('is cut to a size a terminal can bear', () => {
    const reply = read({
      id: 1,
      kind: 'case',
      differences: Array.from({ length: 900 }, () => 'x'.repeat(9_000)),
    });
    expect(reply).toMatchObject({ kind: 'case' });
    if (reply?.kind !== 'case') return;
    expect(reply.differences).toHaveLength(50);
    expect(reply.differences[0]).toHaveLength(4_000);
  });
});
