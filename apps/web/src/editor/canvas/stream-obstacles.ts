/** What nothing along a stream may be written on: nodes with what stands below them, ports, notes, heads of groups. */
import type { FlowNode } from './flow-elements.ts';
import type { Box, NodeShape } from './geometry.ts';
import type { GhostNode } from './ghosts.ts';
import { isPlainPort } from './port-label.ts';
import type { Obstacles } from './stream-places.ts';

/** Below a node: its watermark, and what died, came late or waits. */
const FOOT = { width: 204, height: 44 } as const;
/** Above its upper edge: how many problems it has. */
const MARK = { width: 64, height: 9 } as const;
const HEAD_HEIGHT = 34;
const AROUND_NAME = 44;
const LETTER = 7;
const LABEL_HEIGHT = 18;
const LABEL_AWAY = 14;

export function streamObstacles(nodes: readonly (FlowNode | GhostNode)[]): Obstacles {
  const hard: Box[] = [];
  const soft: Box[] = [];
  for (const node of nodes) {
    const box = boxOf(node);
    if (node.type === 'group' && !node.data.isCollapsed) {
      const width = Math.min(box.width, AROUND_NAME + LETTER * node.data.name.length);
      hard.push({ ...box, width, height: HEAD_HEIGHT });
      continue;
    }
    hard.push(box, ...portsOf(node));
    if (node.type === 'note') continue;
    hard.push({ x: box.x + 4, y: box.y + box.height, ...FOOT });
    hard.push({ x: box.x + box.width - MARK.width, y: box.y - MARK.height, ...MARK });
    if (node.type === 'node') soft.push(...labelsOf(box, node.data.shape));
  }
  return { hard, soft };
}

const boxOf = ({ position, width = 0, height = 0 }: FlowNode | GhostNode): Box => ({
  ...position,
  width,
  height,
});

/** What is offered only while one points at the node takes nothing. */
const portsOf = ({ data, position, handles = [] }: FlowNode | GhostNode): Box[] => {
  const isNew = new Set(
    'shape' in data
      ? [...data.shape.inputs, ...data.shape.outputs].filter((port) => port.isNew).map(({ name }) => name)
      : [],
  );
  return handles
    .filter(({ id }) => !isNew.has(id ?? ''))
    .map(({ x, y, width = 0, height = 0 }) => ({ x: position.x + x, y: position.y + y, width, height }));
};

/** Names of first ports, shown outside the node while it is pointed at. */
function labelsOf({ x, y, width }: Box, { inputs, outputs }: NodeShape): Box[] {
  const named = ([first]: NodeShape['inputs']) =>
    first === undefined || first.isNew || isPlainPort(first.name) ? [] : [first];
  const size = (name: string) => ({ width: 12 + LETTER * name.length, height: LABEL_HEIGHT });
  return [
    ...named(inputs).map((port) => {
      const label = size(port.name);
      return { x: x - LABEL_AWAY - label.width, y: y + port.y - LABEL_HEIGHT / 2, ...label };
    }),
    ...named(outputs).map((port) => ({
      x: x + width + LABEL_AWAY,
      y: y + port.y - LABEL_HEIGHT / 2,
      ...size(port.name),
    })),
  ];
}
