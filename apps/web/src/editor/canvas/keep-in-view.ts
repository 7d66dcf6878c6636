/**
 * What one looks at stays in sight while panes beside the canvas open, close and are dragged. Framework-free.
 *
 * Invariants
 *   KV1  what was wholly in sight and still has room is moved just so far that it is in sight again.
 *   KV2  what was not in sight, or still is, is left where it is.
 */
import type { Box } from './geometry.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Looking {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** What the canvas's own tools lie over, and air around, px. */
export const MARGINS = { top: 24, right: 24, bottom: 60, left: 24 } as const;

export function isInView(box: Box, { x, y, zoom }: Looking, { width, height }: Size, margin = 0): boolean {
  const [left, top] = [box.x * zoom + x, box.y * zoom + y];
  return (
    left >= margin &&
    top >= margin &&
    left + box.width * zoom <= width - margin &&
    top + box.height * zoom <= height - margin
  );
}

export interface Seen {
  readonly all: Box | undefined;
  readonly chosen: Box | undefined;
}

/** Where to look after the canvas has got another size; undefined: as before. */
export function keptInView(
  { all, chosen }: Seen,
  looking: Looking,
  before: Size,
  after: Size,
): Looking | 'all' | undefined {
  const [whole, part] = [all, chosen].map((box) => box && kept(box, looking, before, after));
  if (whole !== 'no-room') return whole ?? (part === 'no-room' ? undefined : part);
  // All was in sight and cannot be at this zoom: what is selected matters more than that all is.
  return typeof part === 'object' ? part : chosen === undefined ? 'all' : undefined;
}

function kept(box: Box, looking: Looking, before: Size, after: Size): Looking | 'no-room' | undefined {
  if (!isInView(box, looking, before) || isInView(box, looking, after)) return undefined;
  const { x, y, zoom } = looking;
  const across = shift(box.x * zoom + x, box.width * zoom, after.width, MARGINS.left, MARGINS.right);
  const down = shift(box.y * zoom + y, box.height * zoom, after.height, MARGINS.top, MARGINS.bottom);
  if (across === undefined || down === undefined) return 'no-room';
  return { x: x + across, y: y + down, zoom };
}

/** How far what is `at` has to move to lie between the margins; undefined where there is no room. */
function shift(at: number, length: number, room: number, before: number, behind: number): number | undefined {
  const most = room - behind - length;
  if (most < before) return length <= room ? (room - length) / 2 - at : undefined;
  return Math.max(before, Math.min(most, at)) - at;
}
