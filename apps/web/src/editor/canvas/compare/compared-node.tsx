import type { EdgeProps, NodeProps } from '@xyflow/react';
import { memo } from 'react';
import { Icon } from '../../../ui/icon.tsx';
import { iconOf } from '../../node-icons.tsx';
import { ChangeBadge } from '../../versions/compare/change-badge.tsx';
import { curvePath } from '../curve.ts';
import nodeStyles from '../node-view.module.css';
import { StillPorts } from '../still-ports.tsx';
import type { CompareEdge, CompareNode } from './compare-elements.ts';
import styles from './compared-node.module.css';

const HALF_PORT = 5;

/** A node of one side: its change in a word, with its icon and colour; what is the same recedes. */
export const ComparedNodeView = memo(function ComparedNodeView({ data, selected }: NodeProps<CompareNode>) {
  const { name, type, look, shape, kind, isRenamed } = data;
  const isQuiet = kind === 'kept' && !isRenamed;
  return (
    <div
      className={`${nodeStyles.node} ${styles.node}`}
      data-look={look}
      data-selected={selected}
      data-kind={isQuiet ? 'kept' : kind === 'kept' ? 'renamed' : kind}
      style={{ height: shape.height }}
    >
      <span className={nodeStyles.icon}>
        <Icon of={iconOf(type)} />
      </span>
      <div className={nodeStyles.titles}>
        <div className={nodeStyles.name}>{name}</div>
        <div className={nodeStyles.words}>{type.split('/').at(-1)}</div>
      </div>
      {!isQuiet && (
        <span className={styles.mark}>
          <ChangeBadge kind={kind} isRenamed={isRenamed} />
        </span>
      )}
      <StillPorts shape={shape} />
    </div>
  );
});

export const ComparedStreamView = memo(function ComparedStreamView(props: EdgeProps<CompareEdge>) {
  const { sourceX, sourceY, targetX, targetY, data } = props;
  const path = curvePath({ from: [sourceX - HALF_PORT, sourceY], to: [targetX + HALF_PORT, targetY] });
  return <path d={path} className={styles.stream} data-kind={data?.kind ?? 'kept'} />;
});
