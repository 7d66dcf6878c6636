import { Handle, Position } from '@xyflow/react';
import { canvasWords as words } from '../../text/strings/canvas.ts';
import { classNames } from '../../ui/class-names.ts';
import { useEditorState } from '../editor-context.tsx';
import { portKey } from '../editor-store.ts';
import type { PortPlace } from './geometry.ts';
import styles from './node-view.module.css';
import { isLabelInside, isPlainPort } from './port-label.ts';

export interface PortViewProps {
  readonly node: string;
  readonly side: 'input' | 'output';
  readonly place: PortPlace;
}

/** A port: a dot of 10 px with 24 px to hit it. While somebody draws it says whether it fits, and why not. */
export function PortView({ node, side, place }: PortViewProps) {
  const key = portKey([node, place.name], side);
  const fit = useEditorState(({ connecting }) => {
    if (connecting === undefined) return undefined;
    const isStart =
      connecting.port[0] === node &&
      connecting.port[1] === place.name &&
      (connecting.end === 'output') === (side === 'output');
    if (isStart) return 'start';
    const hint = connecting.hints.get(key);
    return hint === undefined || hint.fault !== undefined ? 'no' : 'yes';
  });
  const reason = useEditorState(({ connecting }) => connecting?.hints.get(key)?.fault?.reason);
  const isInput = side === 'input';
  return (
    <Handle
      type={isInput ? 'target' : 'source'}
      position={isInput ? Position.Left : Position.Right}
      id={place.name}
      className={classNames(
        styles.port,
        isInput ? styles.input : styles.output,
        place.isNew && styles.newPort,
        isPlainPort(place.name) && styles.plainPort,
      )}
      style={{ top: place.y }}
      data-fit={fit}
      title={reason ?? (place.isNew ? words.newPort(side, place.name) : words.port(side, place.name))}
      aria-hidden
    >
      <span className={isLabelInside(place) ? styles.portName : styles.portLabel}>
        {place.isNew ? `+ ${place.name}` : place.name}
      </span>
    </Handle>
  );
}
