import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { arrived, openOverlay, overlayStore } from './overlay-store.ts';

/** A window: what it hears, and whether the page behind it would. */
const page = new EventTarget();
let heard: string[] = [];

beforeEach(() => {
  heard = [];
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
});
afterEach(() => {
  openOverlay('none');
  vi.unstubAllGlobals();
});

function press(...keys: readonly string[]): void {
  for (const key of keys) {
    const event = Object.assign(new Event('keydown', { cancelable: true }), { key });
    page.addEventListener('keydown', () => heard.push(key), { once: true });
    page.dispatchEvent(event);
  }
}

describe('an overlay on its way', () => {
  it('gets what is typed until it is there, and nothing behind it does', () => {
    openOverlay('commands');
    press('d', 'e', 'x', 'Backspace', 'p');
    expect(heard).toEqual([]);
    expect(arrived()).toBe('dep');
  });

  it('takes no more keys once it is there, or is closed', () => {
    openOverlay('commands');
    arrived();
    press('n');
    openOverlay('commands');
    press('Escape');
    expect(overlayStore.getState().overlay).toBe('none');
    heard = [];
    press('n');
    expect(heard.at(-1)).toBe('n');
  });
});
