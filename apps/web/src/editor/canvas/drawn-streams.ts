/** Streams as curves, from what React Flow would draw: for the layer that draws many, and for what is under a pointer. */
import { type Curve, curveBox, distanceToCurve, type Point } from './curve.ts';
import type { FlowElements, FlowNode } from './flow-elements.ts';
import type { Box } from './geometry.ts';

export interface DrawnStream extends Curve {
  readonly id: string;
  readonly box: Box;
  readonly name: string | undefined;
  readonly keyBy: string | undefined;
  readonly isFaulty: boolean;
  /** Ends at a collapsed group: it lies on others there, and is told where it is pointed at. */
  readonly isOneOfMany: boolean;
}

export function drawnStreams({ nodes, edges }: FlowElements): readonly DrawnStream[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return edges.flatMap(({ id, type, source, sourceHandle, target, targetHandle, data }): DrawnStream[] => {
    if (type !== 'stream') return [];
    const from = portAt(byId.get(source), 'source', sourceHandle);
    const to = portAt(byId.get(target), 'target', targetHandle);
    if (from === undefined || to === undefined || data === undefined) return [];
    const curve = { from, to };
    const { name, stream, marks } = data;
    const isOneOfMany = source !== stream.from[0] && target !== stream.to[0];
    const { keyBy } = stream;
    const isFaulty = marks.errors > 0;
    return [{ id, ...curve, box: curveBox(curve), name, keyBy, isFaulty, isOneOfMany }];
  });
}

function portAt(
  node: FlowNode | undefined,
  type: 'source' | 'target',
  id: string | null | undefined,
): Point | undefined {
  const handle = node?.handles?.find((one) => one.type === type && one.id === id);
  if (node === undefined || handle === undefined) return undefined;
  return [
    node.position.x + handle.x + (handle.width ?? 0) / 2,
    node.position.y + handle.y + (handle.height ?? 0) / 2,
  ];
}

/** The stream that passes nearest to a point, within reach. */
export function streamAt(
  streams: readonly DrawnStream[],
  point: Point,
  reach: number,
): DrawnStream | undefined {
  let best: DrawnStream | undefined;
  let least = reach;
  for (const stream of streams) {
    const { x, y, width, height } = stream.box;
    if (point[0] < x - reach || point[0] > x + width + reach) continue;
    if (point[1] < y - reach || point[1] > y + height + reach) continue;
    const distance = distanceToCurve(stream, point);
    if (distance > least) continue;
    least = distance;
    best = stream;
  }
  return best;
}
