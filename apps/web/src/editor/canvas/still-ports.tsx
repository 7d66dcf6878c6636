import { Handle, Position } from '@xyflow/react';
import { memo } from 'react';
import type { NodeShape } from './geometry.ts';
import styles from './still-ports.module.css';

/** Ports of what cannot be edited: seen, and never drawn from. */
export const StillPorts = memo(function StillPorts({ shape }: { readonly shape: NodeShape }) {
  const sides = [
    { places: shape.inputs, type: 'target', position: Position.Left },
    { places: shape.outputs, type: 'source', position: Position.Right },
  ] as const;
  return sides.flatMap(({ places, type, position }) =>
    places.map(({ name, y, isNew }) => (
      <Handle
        key={`${type} ${name}`}
        id={name}
        type={type}
        position={position}
        isConnectable={false}
        className={styles.port ?? ''}
        data-new={isNew}
        style={{ top: y }}
        aria-hidden
      />
    )),
  );
});
