/** The curve a stream is drawn as: it leaves its port level and arrives level. Canvas units. */
import type { Box } from './geometry.ts';

export type Point = readonly [x: number, y: number];

export interface Curve {
  readonly from: Point;
  readonly to: Point;
}

const SAMPLES = 24;

/** How far a stream goes straight before it bends: half the way, and round the corner when it leads back. */
export function bend(from: Point, to: Point): number {
  const distance = to[0] - from[0];
  return distance >= 0 ? Math.max(24, distance / 2) : Math.min(240, 48 + Math.sqrt(-distance) * 8);
}

export function curvePath({ from, to }: Curve): string {
  const reach = bend(from, to);
  return `M${from[0]},${from[1]}C${from[0] + reach},${from[1]} ${to[0] - reach},${to[1]} ${to[0]},${to[1]}`;
}

/** What the curve cannot leave. */
export function curveBox({ from, to }: Curve): Box {
  const reach = bend(from, to);
  const [left, right] = [Math.min(from[0], to[0] - reach), Math.max(from[0] + reach, to[0])];
  const [top, bottom] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export function distanceToCurve({ from, to }: Curve, point: Point): number {
  let least = Infinity;
  let before = from;
  for (let i = 1; i <= SAMPLES; i++) {
    const next = pointAt(from, to, i / SAMPLES);
    least = Math.min(least, distanceToLine(before, next, point));
    before = next;
  }
  return least;
}

function distanceToLine([ax, ay]: Point, [bx, by]: Point, [x, y]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}

/** `t` from 0, where it leaves, to 1. */
export function pointAt(from: Point, to: Point, t: number): Point {
  const reach = bend(from, to);
  const [u, a, b, c] = [1 - t, (1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2];
  const d = 1 - a - b - c;
  return [
    a * from[0] + b * (from[0] + reach) + c * (to[0] - reach) + d * to[0],
    u ** 2 * (1 + 2 * t) * from[1] + (1 - u ** 2 * (1 + 2 * t)) * to[1],
  ];
}

/** Its ends are bent alike. */
export const middleOfCurve = ({ from, to }: Curve): Point => [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
