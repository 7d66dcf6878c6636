/** How large a node is and where its ports sit, in canvas units. Known before anything is drawn or measured. */

import { portsOf } from '@millrace/document';
import type { NodeTypes, Pipeline } from '@millrace/graph';

export const GRID = 8;
export const NODE_WIDTH = 208;
const LEAST_HEIGHT = 64;
const FIRST_PORT = 32;
const PORT_STEP = 24;
const BELOW_PORTS = 32;
/** From the lower edge: where a code node offers a port that is not there yet. */
const NEW_PORT = 12;

export interface PortPlace {
  readonly name: string;
  /** From the node's upper edge to the port's middle. */
  readonly y: number;
  /** Offered, and there as soon as a stream is drawn to it. */
  readonly isNew: boolean;
}

export interface NodeShape {
  readonly width: number;
  readonly height: number;
  readonly inputs: readonly PortPlace[];
  readonly outputs: readonly PortPlace[];
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function nodeShape(pipeline: Pipeline, types: NodeTypes, node: string): NodeShape {
  const spec = types.get(pipeline.nodes.get(node)?.type ?? '');
  const inputs = spec?.kind === 'injector' ? [] : portsOf(pipeline, types, node, 'inputs');
  const outputs = spec?.kind === 'sink' ? [] : portsOf(pipeline, types, node, 'outputs');
  const rows = Math.max(1, ...[inputs, outputs].map((ports) => ports.filter(({ isNew }) => !isNew).length));
  const height = Math.max(LEAST_HEIGHT, FIRST_PORT + PORT_STEP * (rows - 1) + BELOW_PORTS);
  return { width: NODE_WIDTH, height, inputs: placed(inputs, height), outputs: placed(outputs, height) };
}

function placed(ports: ReturnType<typeof portsOf>, height: number): PortPlace[] {
  return ports.map(({ name, isNew }, i) => ({
    name,
    isNew,
    y: isNew && i > 0 ? height - NEW_PORT : FIRST_PORT + PORT_STEP * i,
  }));
}

export function onGrid(value: number): number {
  return Math.round(value / GRID) * GRID;
}

export function boundsOf(boxes: Iterable<Box>): Box | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return left === Infinity ? undefined : { x: left, y: top, width: right - left, height: bottom - top };
}

export function middleOf({ x, y, width, height }: Box): readonly [x: number, y: number] {
  return [x + width / 2, y + height / 2];
}
