import type { ConnectionLineComponentProps } from '@xyflow/react';
import { useEditorState } from '../editor-context.tsx';
import { portKey } from '../editor-store.ts';
import styles from './connection-line.module.css';
import { curvePath } from './curve.ts';

/** The stream while it is drawn; where it cannot end it says why. */
export function ConnectionLine(props: ConnectionLineComponentProps) {
  const { fromX, fromY, toX, toY, fromHandle, toHandle, connectionStatus } = props;
  const isForward = fromHandle.type === 'source';
  const key = toHandle && portKey([toHandle.nodeId, toHandle.id ?? ''], isForward ? 'input' : 'output');
  const reason = useEditorState(({ connecting }) =>
    key === null ? undefined : connecting?.hints.get(key)?.fault?.reason,
  );
  const ends = isForward
    ? ({ from: [fromX, fromY], to: [toX, toY] } as const)
    : ({ from: [toX, toY], to: [fromX, fromY] } as const);
  return (
    <g>
      <path d={curvePath(ends)} className={styles.line} data-status={connectionStatus ?? 'open'} />
      {reason !== undefined && (
        <foreignObject x={toX + 14} y={toY + 8} width={280} height={80} className={styles.place}>
          <div className={styles.reason}>{reason}</div>
        </foreignObject>
      )}
    </g>
  );
}
