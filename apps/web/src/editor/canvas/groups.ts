/** Groups as the canvas has them: a frame around their nodes, or one node in their place. Canvas units. */
import type { Reading } from '@millrace/document';
import { type Box, boundsOf, NODE_WIDTH } from './geometry.ts';

export interface GroupPlace {
  readonly id: string;
  readonly name: string;
  readonly color: string | undefined;
  readonly isCollapsed: boolean;
  readonly members: readonly string[];
  readonly box: Box;
}

const AROUND = 24;
const HEAD = 28;
export const COLLAPSED_HEIGHT = 64;

/** Of groups that have nodes; `boxOf` says where a node is now. */
export function groupsOf({ layout }: Reading, boxOf: (node: string) => Box | undefined): GroupPlace[] {
  const members = new Map<string, string[]>();
  for (const [id, { group }] of layout.nodes) {
    if (group !== undefined) members.set(group, [...(members.get(group) ?? []), id]);
  }
  return [...members].flatMap(([id, ids]): GroupPlace[] => {
    const group = layout.groups.get(id);
    const bounds = boundsOf(ids.map(boxOf).filter((box) => box !== undefined));
    if (group === undefined || bounds === undefined) return [];
    const corner = { x: bounds.x - AROUND, y: bounds.y - AROUND - HEAD };
    const size =
      group.collapsed === true
        ? { width: NODE_WIDTH, height: COLLAPSED_HEIGHT }
        : { width: bounds.width + 2 * AROUND, height: bounds.height + 2 * AROUND + HEAD };
    const box = { ...corner, ...size };
    const { name, color } = group;
    return [{ id, name, color, isCollapsed: group.collapsed === true, members: ids, box }];
  });
}

/** What stands for a node on the canvas: the collapsed group it is in, else itself. */
export function standIns({ layout }: Reading): (node: string) => string {
  return (node) => {
    const group = layout.nodes.get(node)?.group;
    return group !== undefined && layout.groups.get(group)?.collapsed === true ? group : node;
  };
}

/** Boxes of what is seen: collapsed groups in place of their nodes. */
export function seenBoxes(reading: Reading, boxes: ReadonlyMap<string, Box>): ReadonlyMap<string, Box> {
  const standIn = standIns(reading);
  const seen = new Map([...boxes].filter(([id]) => standIn(id) === id));
  for (const { id, isCollapsed, box } of groupsOf(reading, (node) => boxes.get(node)))
    if (isCollapsed) seen.set(id, box);
  return seen;
}
