/** Lines up several nodes or spaces them evenly. Gives only what moves. */
import { type Box, boundsOf, onGrid } from './geometry.ts';

export type Alignment = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom';
export type Axis = 'horizontal' | 'vertical';
export type Moves = readonly (readonly [id: string, at: readonly [x: number, y: number]])[];

export function align(boxes: ReadonlyMap<string, Box>, how: Alignment): Moves {
  const bounds = boundsOf(boxes.values());
  if (bounds === undefined || boxes.size < 2) return [];
  const place: Record<Alignment, (box: Box) => readonly [number, number]> = {
    left: ({ y }) => [bounds.x, y],
    center: ({ y, width }) => [onGrid(bounds.x + (bounds.width - width) / 2), y],
    right: ({ y, width }) => [bounds.x + bounds.width - width, y],
    top: ({ x }) => [x, bounds.y],
    middle: ({ x, height }) => [x, onGrid(bounds.y + (bounds.height - height) / 2)],
    bottom: ({ x, height }) => [x, bounds.y + bounds.height - height],
  };
  return moved(boxes, (_, box) => place[how](box));
}

/** Equal gaps between neighbours; the outermost stay. */
export function distribute(boxes: ReadonlyMap<string, Box>, axis: Axis): Moves {
  if (boxes.size < 3) return [];
  const [at, size] = axis === 'horizontal' ? (['x', 'width'] as const) : (['y', 'height'] as const);
  const order = [...boxes].sort(([, a], [, b]) => a[at] - b[at]);
  const [first, last] = [order[0]?.[1], order.at(-1)?.[1]];
  if (first === undefined || last === undefined) return [];
  const inner = order.reduce((sum, [, box]) => sum + box[size], 0);
  const gap = (last[at] + last[size] - first[at] - inner) / (order.length - 1);
  const places = new Map<string, number>();
  let next = first[at];
  for (const [id, box] of order) {
    places.set(id, next);
    next += box[size] + gap;
  }
  return moved(boxes, (id, { x, y }) => {
    const place = onGrid(places.get(id) ?? 0);
    if (id === order[0]?.[0] || id === order.at(-1)?.[0]) return [x, y];
    return axis === 'horizontal' ? [place, y] : [x, place];
  });
}

function moved(
  boxes: ReadonlyMap<string, Box>,
  place: (id: string, box: Box) => readonly [number, number],
): Moves {
  return [...boxes]
    .map(([id, box]) => [id, place(id, box), box] as const)
    .filter(([, [x, y], box]) => x !== box.x || y !== box.y)
    .map(([id, at]) => [id, at] as const);
}
