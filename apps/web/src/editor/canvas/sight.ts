/**
 * How much is drawn of each node of a large pipeline. What comes into sight is drawn in full a few nodes a frame, so
 * that moving the canvas stays smooth; what is out of sight keeps what it has until the canvas is at rest. Of a small
 * pipeline everything is drawn in full. Framework-free.
 */
import type { Box } from './geometry.ts';

/**
 * Nothing but its place · a rectangle with a name, as seen from afar · all of it, not drawn while it is out of sight ·
 * all of it.
 */
export type Detail = 'shell' | 'plain' | 'away' | 'full';

export interface Sight {
  readonly detailOf: (id: string) => Detail;
  /** Told when the detail of this one node changes. */
  readonly subscribe: (id: string, listener: () => void) => () => void;
  /** Whether numbers written into it would be seen. */
  readonly isSeen: (id: string) => boolean;
  readonly setBoxes: (boxes: ReadonlyMap<string, Box>) => void;
  /** `view` in canvas units; `isFar` where details could not be read. */
  readonly look: (view: Box, isFar: boolean) => void;
  /** The canvas does not move any more: what is far out of sight is let go. */
  readonly rest: () => void;
}

/** Up to so many nodes there is nothing to save. */
export const MANY = 80;
const A_FRAME = 6;
/** Around what is seen, in its own widths: drawn before it comes into sight, drawn after it has left it, kept. */
const AHEAD = 0.2;
const DRAWN = 0.4;
const KEPT = 1.5;
const RANK: Readonly<Record<Detail, number>> = { shell: 0, plain: 1, away: 2, full: 3 };

export function createSight(nextFrame: (step: () => void) => void): Sight {
  const details = new Map<string, Detail>();
  const listeners = new Map<string, () => void>();
  let boxes: ReadonlyMap<string, Box> = new Map();
  let view: Box | undefined;
  let isFar = false;
  let isWaiting = false;

  const isSmall = (): boolean => boxes.size <= MANY;
  const set = (id: string, detail: Detail): void => {
    details.set(id, detail);
    listeners.get(id)?.();
  };
  const near = (share: number): readonly string[] => {
    if (view === undefined) return [];
    const area = grown(view, share);
    return [...boxes].filter(([, box]) => meets(box, area)).map(([id]) => id);
  };
  const lacking = (): readonly string[] => {
    const wanted = RANK[isFar ? 'plain' : 'full'];
    const lacks = (id: string): boolean => RANK[details.get(id) ?? 'shell'] < wanted;
    // What is seen comes before what will be.
    const seen = near(0).filter(lacks);
    return seen.length >= A_FRAME ? seen : [...new Set([...seen, ...near(AHEAD).filter(lacks)])];
  };
  /** Made already, so they come at once; and what has gone is not drawn any more. */
  const turn = (): void => {
    if (isFar) return;
    const [ahead, drawn] = [new Set(near(AHEAD)), new Set(near(DRAWN))];
    for (const [id, detail] of [...details]) {
      if (detail === 'away' && ahead.has(id)) set(id, 'full');
      else if (detail === 'full' && !drawn.has(id)) set(id, 'away');
    }
  };
  const step = (): void => {
    isWaiting = false;
    turn();
    const ids = lacking();
    // A rectangle costs next to nothing, and from afar all of them come at once.
    const now = isFar ? ids : ids.slice(0, A_FRAME);
    for (const id of now) set(id, isFar ? 'plain' : 'full');
    if (now.length < ids.length) later();
  };
  const later = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    nextFrame(step);
  };

  return {
    detailOf: (id) => (isSmall() ? 'full' : (details.get(id) ?? 'shell')),
    subscribe: (id, listener) => {
      listeners.set(id, listener);
      return () => {
        if (listeners.get(id) === listener) listeners.delete(id);
      };
    },
    isSeen: (id) => {
      const box = boxes.get(id);
      return isSmall() || view === undefined || box === undefined || meets(box, view);
    },
    setBoxes: (next) => {
      const wasSmall = isSmall();
      boxes = next;
      if (wasSmall !== isSmall()) for (const tell of [...listeners.values()]) tell();
      if (!isSmall() && view !== undefined) step();
    },
    look: (next, far) => {
      view = next;
      isFar = far;
      if (!isSmall()) step();
    },
    rest: () => {
      if (isSmall() || view === undefined) return;
      const kept = new Set(near(KEPT));
      for (const [id, detail] of [...details]) {
        if (!boxes.has(id)) details.delete(id);
        else if (isFar && RANK[detail] > RANK.plain) set(id, 'plain');
        else if (!isFar && !kept.has(id) && detail === 'away') set(id, 'shell');
      }
    },
  };
}

function grown({ x, y, width, height }: Box, share: number): Box {
  const [dx, dy] = [width * share, height * share];
  return { x: x - dx, y: y - dy, width: width + 2 * dx, height: height + 2 * dy };
}

export const meets = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
