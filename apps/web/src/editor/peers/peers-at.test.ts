import { describe, expect, it } from 'vitest';
import { peersAt } from './peers-at.ts';

const peer = (client: number, state: object) => ({
  client,
  account: `a${client}`,
  name: `P${client}`,
  state,
});

describe('who is at a node', () => {
  it('is who has selected it and who has its code open, once each', () => {
    const at = peersAt(
      [peer(1, { selection: ['n_a', 'n_b'], code: 'n_b' }), peer(2, { code: 'n_b' })],
      new Map(),
    );
    expect(at.get('n_a')).toEqual([{ client: 1, name: 'P1', isInCode: false }]);
    expect(at.get('n_b')).toEqual([
      { client: 1, name: 'P1', isInCode: true },
      { client: 2, name: 'P2', isInCode: true },
    ]);
  });

  it('stays the same list while only a cursor moves', () => {
    const first = peersAt([peer(1, { selection: ['n_a'], cursor: [0, 0] })], new Map());
    const next = peersAt([peer(1, { selection: ['n_a'], cursor: [9, 9] })], first);
    expect(next.get('n_a')).toBe(first.get('n_a'));
  });
});
