import type { Watermark } from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import { planOf } from '../testing/plans.ts';
import { WatermarkAuthority } from './authority.ts';
import { suspectsOf } from './blame.ts';

const plan = planOf(
  [
    { id: 'fast', kind: 'injector' },
    { id: 'slow', kind: 'injector' },
    { id: 'clean', kind: 'computation' },
    { id: 'join', kind: 'computation' },
    { id: 'out', kind: 'sink' },
  ],
  [
    { from: 'fast', to: 'join' },
    { from: 'slow', to: 'clean' },
    { from: 'clean', to: 'join' },
    { from: 'join', to: 'out' },
  ],
);
const at = (time: number): Watermark => ({ kind: 'at', time });

function reports(...tables: readonly Watermark[][]) {
  const authority = new WatermarkAuthority(tables.length, plan.nodes.length);
  for (const [slot, table] of tables.entries()) authority.report(slot, table);
  return authority;
}
const [fast, slow, clean, join, out] = [0, 1, 2, 3, 4];
const none: Watermark = { kind: 'ended' };

describe('suspectsOf', () => {
  it('W5: leads from a sink along the slowest senders to the injector that holds it', () => {
    const found = suspectsOf(plan, reports([at(90), at(10), at(10), at(10), none]), out);
    expect(found.map(({ node, part }) => [node, part])).toEqual([
      [out, 'follows'],
      [join, 'follows'],
      [clean, 'follows'],
      [slow, 'source'],
    ]);
  });

  it('W1: says of a node that is behind what it was promised that it is, and on which worker', () => {
    const [first] = suspectsOf(
      plan,
      reports([at(90), at(80), at(80), at(70), none], [at(90), at(80), at(80), at(5), none]),
      join,
    );
    expect(first).toEqual({ node: join, slot: 1, part: 'behind', slowest: clean });
  });

  it('W4: what has not reported is the slowest; what is idle holds nobody', () => {
    const idle: Watermark = { kind: 'idle', time: 0 };
    const found = suspectsOf(
      plan,
      reports([{ kind: 'not-yet' }, idle, idle, { kind: 'not-yet' }, none]),
      join,
    );
    expect(found.map(({ node }) => node)).toEqual([join, fast]);
    expect(suspectsOf(plan, reports([none, idle, idle, idle, none]), join)).toEqual([]);
  });
});
