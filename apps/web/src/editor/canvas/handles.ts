/** Where React Flow ends streams at what is drawn and not edited. */
import type { Node as RawNode } from '@xyflow/react';
import type { NodeShape } from './geometry.ts';

const PORT = 10;

export function handlesOf({ inputs, outputs, width }: NodeShape): NonNullable<RawNode['handles']> {
  const at = (id: string, type: 'source' | 'target', x: number, y: number) => ({
    id,
    type,
    position: (type === 'source' ? 'right' : 'left') as never,
    width: PORT,
    height: PORT,
    x: x - PORT / 2,
    y: y - PORT / 2,
  });
  return [
    ...inputs.map(({ name, y }) => at(name, 'target', 0, y)),
    ...outputs.map(({ name, y }) => at(name, 'source', width, y)),
  ];
}
