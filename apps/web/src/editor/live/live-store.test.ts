import type { View } from '@millrace/protocol/api';
import { describe, expect, it } from 'vitest';
import { createLiveStore } from './live-store.ts';

const view = (rate: number, at?: number): View => ({
  at,
  commits: {},
  nodes: [{ node: 'n', inRate: rate, watermark: { kind: 'idle' }, counts: {} }],
  streams: [{ stream: 's', rate }],
});

function frames() {
  const waiting: (() => void)[] = [];
  const live = createLiveStore((paint) => void waiting.push(paint));
  return { live, waiting, next: () => waiting.shift()?.() };
}

describe('live numbers', () => {
  it('are painted once a frame, the newest of what came', () => {
    const { live, waiting, next } = frames();
    const seen: (number | undefined)[] = [];
    live.paintNode('n', (node) => void seen.push(node?.inRate));
    live.take(view(1));
    live.take(view(2));
    expect(waiting).toHaveLength(1);
    next();
    expect(seen).toEqual([undefined, 2]);
  });

  it('one that comes later is painted with what is known, and none after it left', () => {
    const { live, next } = frames();
    live.take(view(3));
    next();
    const seen: (number | undefined)[] = [];
    const leave = live.paintStream('s', (stream) => void seen.push(stream?.rate));
    leave();
    live.take(view(4));
    next();
    expect(seen).toEqual([3]);
  });

  it('are marked twice a second for what is read, and where it is attached', () => {
    const { live, next } = frames();
    const seen: boolean[] = [];
    live.paintNode('n', (_, isBeat) => void seen.push(isBeat));
    for (const at of [1_000, 1_100, 1_400, 1_500, 1_900, 2_000]) {
      live.take(view(1, at));
      next();
    }
    expect(seen).toEqual([true, true, false, false, true, false, true]);
  });

  it('nothing is left standing when the pipeline is watched no more', () => {
    const { live, next } = frames();
    const seen: (number | undefined)[] = [];
    live.setState({ kind: 'live', label: 'Running' });
    live.take(view(3));
    next();
    live.paintNode('n', (node) => void seen.push(node?.inRate));
    live.setState({ kind: 'off' });
    next();
    expect(seen).toEqual([3, undefined]);
  });
});
