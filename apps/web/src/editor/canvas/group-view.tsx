import type { NodeProps } from '@xyflow/react';
import { memo } from 'react';
import { useEditor } from '../editor-context.tsx';
import { select } from '../editor-store.ts';
import type { FlowNode } from './flow-elements.ts';
import styles from './group-view.module.css';

type Props = NodeProps<Extract<FlowNode, { type: 'group' }>>;

/** A frame around the nodes of a group; its name selects them. */
export const GroupView = memo(function GroupView({ data }: Props) {
  const { store } = useEditor();
  return (
    <div className={styles.group}>
      <button
        type="button"
        className={`${styles.name} nodrag`}
        onClick={() => select(store, { nodes: data.members })}
        tabIndex={-1}
      >
        {data.name}
      </button>
    </div>
  );
});
