/** The curve of a stream: leaves its port level and arrives level. */
import { bend } from './splice-target.ts';

export type Point = readonly [x: number, y: number];

export function streamPath(from: Point, to: Point): string {
  const reach = bend(from, to);
  return `M${from[0]},${from[1]}C${from[0] + reach},${from[1]} ${to[0] - reach},${to[1]} ${to[0]},${to[1]}`;
}
