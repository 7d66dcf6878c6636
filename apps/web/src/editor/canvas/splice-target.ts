/** Over which stream a node is dropped. */
import type { Stream } from '@millrace/graph';
import { type Curve, distanceToCurve } from './curve.ts';
import { type Box, middleOf } from './geometry.ts';

export interface StreamCurve extends Curve {
  readonly stream: Stream;
}

const REACH = 28;

/** The stream that passes nearest to the box's middle, within reach; none that ends at `node`. */
export function spliceTarget(curves: Iterable<StreamCurve>, box: Box, node?: string): Stream | undefined {
  const middle = middleOf(box);
  let best: { stream: Stream; distance: number } | undefined;
  for (const { stream, from, to } of curves) {
    if (stream.from[0] === node || stream.to[0] === node) continue;
    if (Math.max(from[1], to[1]) < box.y - REACH || Math.min(from[1], to[1]) > box.y + box.height + REACH)
      continue;
    const distance = distanceToCurve({ from, to }, middle);
    if (distance <= REACH && (best === undefined || distance < best.distance)) best = { stream, distance };
  }
  return best?.stream;
}
