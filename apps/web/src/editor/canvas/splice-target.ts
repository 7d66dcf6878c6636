/** Over which stream a node is dropped. */
import type { Stream } from '@millrace/graph';
import { type Box, middleOf } from './geometry.ts';

export interface Curve {
  readonly stream: Stream;
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
}

const REACH = 28;
const SAMPLES = 24;

/** The stream that passes nearest to the box's middle, within reach; none that ends at `node`. */
export function spliceTarget(curves: Iterable<Curve>, box: Box, node?: string): Stream | undefined {
  const [x, y] = middleOf(box);
  let best: { stream: Stream; distance: number } | undefined;
  for (const { stream, from, to } of curves) {
    if (stream.from[0] === node || stream.to[0] === node) continue;
    if (Math.max(from[1], to[1]) < box.y - REACH || Math.min(from[1], to[1]) > box.y + box.height + REACH)
      continue;
    const distance = distanceTo(from, to, [x, y]);
    if (distance <= REACH && (best === undefined || distance < best.distance)) best = { stream, distance };
  }
  return best?.stream;
}

type Point = readonly [x: number, y: number];

function distanceTo(from: Point, to: Point, [x, y]: Point): number {
  let least = Infinity;
  for (let i = 0; i <= SAMPLES; i++) {
    const [curveX, curveY] = pointAt(from, to, i / SAMPLES);
    least = Math.min(least, Math.hypot(x - curveX, y - curveY));
  }
  return least;
}

/** The curve streams are drawn as: leaves and arrives level. */
function pointAt(from: Point, to: Point, t: number): Point {
  const reach = bend(from, to);
  const [u, a, b, c] = [1 - t, (1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2];
  const d = 1 - a - b - c;
  return [
    a * from[0] + b * (from[0] + reach) + c * (to[0] - reach) + d * to[0],
    u ** 2 * (1 + 2 * t) * from[1] + (1 - u ** 2 * (1 + 2 * t)) * to[1],
  ];
}

/** How far a stream goes straight before it bends: half the way, and round the corner when it leads back. */
export function bend(from: Point, to: Point): number {
  const distance = to[0] - from[0];
  return distance >= 0 ? Math.max(24, distance / 2) : Math.min(240, 48 + Math.sqrt(-distance) * 8);
}
