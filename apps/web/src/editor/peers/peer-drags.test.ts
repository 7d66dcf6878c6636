import type { Peer } from '@millrace/protocol/api';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPeerDrags } from './peer-drags.ts';

const dragging = (...places: [string, number, number][]): readonly Peer[] => [
  { client: 1, account: 'a', name: 'Ada', state: { dragging: places } },
];
const LET_GO: readonly Peer[] = [{ client: 1, account: 'a', name: 'Ada', state: {} }];

function setUp() {
  const places = new Map<string, readonly [number, number]>([['n', [0, 0]]]);
  const changed = vi.fn();
  const drags = createPeerDrags({ changed, placeOf: (id) => places.get(id) });
  return { places, changed, drags, shown: () => Object.fromEntries(drags.now()) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('what others drag', () => {
  test('stays where they let go until the place they wrote is here, and not a moment longer', () => {
    const { places, drags, shown, changed } = setUp();
    drags.take(dragging(['n', 31, 62]));
    drags.take(LET_GO);
    drags.written();
    expect(shown()).toEqual({ n: [31, 62] });
    places.set('n', [32, 64]);
    drags.written();
    expect(shown()).toEqual({});
    expect(changed).toHaveBeenCalledTimes(2);
  });

  test('is where it was written at once when that came before the word that they let go', () => {
    const { places, drags, shown } = setUp();
    drags.take(dragging(['n', 31, 62]));
    places.set('n', [32, 64]);
    drags.written();
    expect(shown()).toEqual({ n: [31, 62] });
    drags.take(LET_GO);
    expect(shown()).toEqual({});
  });

  test('is let go after a while where nothing was written', () => {
    const { drags, shown } = setUp();
    drags.take(dragging(['n', 3, 2]));
    drags.take(LET_GO);
    vi.advanceTimersByTime(500);
    expect(shown()).toEqual({ n: [3, 2] });
    vi.advanceTimersByTime(500);
    expect(shown()).toEqual({});
  });

  test('can be taken up again while the first place is on its way', () => {
    const { places, drags, shown } = setUp();
    drags.take(dragging(['n', 31, 62]));
    drags.take(LET_GO);
    drags.take(dragging(['n', 40, 70]));
    places.set('n', [32, 64]);
    drags.written();
    vi.advanceTimersByTime(1_000);
    expect(shown()).toEqual({ n: [40, 70] });
  });

  test('that is dragged further with others stays with them', () => {
    const { places, drags, shown } = setUp();
    drags.take(dragging(['n', 31, 62], ['m', 5, 5]));
    drags.take(dragging(['m', 6, 6]));
    places.set('n', [32, 64]);
    drags.written();
    expect(shown()).toEqual({ m: [6, 6] });
  });
});
