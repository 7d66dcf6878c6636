import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gestureNow } from '../../gesture.ts';
import { PAUSE_MS, SOON_MS, type TypedText, typedText, type WriteWhen } from './typed-text.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function field(when: WriteWhen): TypedText & { readonly written: { text: string; gesture: string }[] } {
  const written: { text: string; gesture: string }[] = [];
  const write = (text: string): void => void written.push({ text, gesture: gestureNow() });
  return { ...typedText({ when, write }), written };
}

/** A key every so often, as somebody types who does not stop. */
function typeOn({ typed }: TypedText, text: string, apart: number): void {
  for (let length = 1; length <= text.length; length++) {
    typed(text.slice(0, length));
    vi.advanceTimersByTime(apart);
  }
}

describe('what is typed into a form', () => {
  it('is written soon after its key, also while the next keys come (TT1)', () => {
    const one = field('as-typed');
    typeOn(one, 'value.userId', SOON_MS / 4);
    expect(one.written[0]?.text).toBe('valu');
    vi.advanceTimersByTime(SOON_MS);
    expect(one.written.at(-1)?.text).toBe('value.userId');
    // Others are to see it within half a second, way and drawing included.
    expect(SOON_MS).toBeLessThanOrEqual(100);
  });

  it('is one step to undo, until there is a pause (TT3)', () => {
    const one = field('as-typed');
    typeOn(one, 'ten seconds', SOON_MS);
    expect(one.written.length).toBeGreaterThan(3);
    vi.advanceTimersByTime(PAUSE_MS + 1);
    typeOn(one, 'nine', SOON_MS);
    vi.advanceTimersByTime(SOON_MS);
    expect(new Set(one.written.map(({ gesture }) => gesture)).size).toBe(2);
  });

  it('is written at the end only where it is a name, and once (TT2)', () => {
    const one = field('at-end');
    typeOn(one, 'column', SOON_MS * 10);
    expect(one.written).toEqual([]);
    one.settle();
    one.settle();
    expect(one.written.map(({ text }) => text)).toEqual(['column']);
  });
});
