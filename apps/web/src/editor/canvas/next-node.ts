/** Which node an arrow key goes to: along a stream where there is one, else the nearest in that direction. */
import type { Stream } from '@millrace/graph';
import { type Box, middleOf } from './geometry.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

const AXES: Record<Direction, readonly [x: number, y: number]> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};
/** What lies aside counts as so much farther away. */
const ASIDE = 2;

export function nextNode(
  boxes: ReadonlyMap<string, Box>,
  streams: Iterable<Stream>,
  from: string,
  direction: Direction,
): string | undefined {
  const start = boxes.get(from);
  if (start === undefined) return firstNode(boxes);
  const joined = new Set<string>();
  for (const stream of streams) {
    if (direction === 'right' && stream.from[0] === from) joined.add(stream.to[0]);
    if (direction === 'left' && stream.to[0] === from) joined.add(stream.from[0]);
  }
  const along = nearest(boxes, start, direction, (id) => joined.has(id));
  return along ?? nearest(boxes, start, direction, (id) => id !== from);
}

/** Where a keyboard begins: the upper left. */
export function firstNode(boxes: ReadonlyMap<string, Box>): string | undefined {
  const order = [...boxes].sort(([, a], [, b]) => a.x + a.y - (b.x + b.y));
  return order[0]?.[0];
}

function nearest(
  boxes: ReadonlyMap<string, Box>,
  start: Box,
  direction: Direction,
  isMeant: (id: string) => boolean,
): string | undefined {
  const [fromX, fromY] = middleOf(start);
  const [axisX, axisY] = AXES[direction];
  let best: { id: string; cost: number } | undefined;
  for (const [id, box] of boxes) {
    if (!isMeant(id)) continue;
    const [x, y] = middleOf(box);
    const ahead = (x - fromX) * axisX + (y - fromY) * axisY;
    if (ahead <= 0) continue;
    const aside = Math.abs((x - fromX) * axisY) + Math.abs((y - fromY) * axisX);
    const cost = ahead + ASIDE * aside;
    if (best === undefined || cost < best.cost) best = { id, cost };
  }
  return best?.id;
}
