import { describe, expect, it } from 'vitest';
import { isInView, keptInView, MARGINS } from './keep-in-view.ts';

const BEFORE = { width: 800, height: 700 };
const NODE = { x: 300, y: 560, width: 208, height: 64 };
const CHOSEN = { all: { x: -900, y: 0, width: 3000, height: 900 }, chosen: NODE };
const AT_ONE = { x: 0, y: 0, zoom: 1 };

describe('what is kept in sight while panes open', () => {
  it('KV1: is moved up by what the drawer would hide of it, and no further', () => {
    const after = { width: 800, height: 420 };
    const kept = keptInView(CHOSEN, AT_ONE, BEFORE, after);
    expect(kept).toEqual({ x: 0, y: after.height - MARGINS.bottom - NODE.height - NODE.y, zoom: 1 });
    expect(isInView(NODE, kept as typeof AT_ONE, after)).toBe(true);
  });

  it('KV1: is moved aside by what a pane at the right would hide of it', () => {
    const after = { width: 480, height: 700 };
    const kept = keptInView(CHOSEN, AT_ONE, BEFORE, after);
    expect(kept).toMatchObject({ x: after.width - MARGINS.right - NODE.width - NODE.x, zoom: 1 });
  });

  it('KV2: stays where it is while it is in sight', () => {
    expect(keptInView(CHOSEN, AT_ONE, BEFORE, { width: 600, height: 640 })).toBeUndefined();
  });

  it('KV2: is not brought back from where one had scrolled away', () => {
    const away = { x: 900, y: 0, zoom: 1 };
    expect(keptInView(CHOSEN, away, BEFORE, { width: 480, height: 420 })).toBeUndefined();
  });

  it('shows all smaller where all was in sight, has no room any more and nothing is selected', () => {
    const all = { x: 20, y: 100, width: 700, height: 64 };
    const [after, looking] = [{ width: 480, height: 420 }, AT_ONE];
    expect(keptInView({ all, chosen: undefined }, looking, BEFORE, after)).toBe('all');
    const chosen = { x: 512, y: 100, width: 208, height: 64 };
    expect(keptInView({ all, chosen }, looking, BEFORE, after)).toMatchObject({ zoom: 1 });
  });
});
