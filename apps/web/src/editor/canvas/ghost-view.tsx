import type { EdgeProps, NodeProps } from '@xyflow/react';
import { memo } from 'react';
import { versionWords } from '../../text/strings/versions.ts';
import { Icon } from '../../ui/icon.tsx';
import { iconOf } from '../node-icons.tsx';
import { curvePath } from './curve.ts';
import styles from './ghost-view.module.css';
import type { GhostEdge, GhostNode } from './ghosts.ts';
import { LivePart } from './live-part.tsx';
import nodeStyles from './node-view.module.css';
import { StillPorts } from './still-ports.tsx';

const { standing: words } = versionWords;
const HALF_PORT = 5;

/** A node that runs and is gone from the draft. */
export const GhostView = memo(function GhostView({ id, data }: NodeProps<GhostNode>) {
  const { shape, version } = data;
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the nodes beside it
    <div
      role="group"
      aria-label={`${data.name}, ${words.gone}`}
      className={`${nodeStyles.node} ${styles.ghost}`}
      data-look={data.look}
      style={{ height: shape.height }}
      title={words.goneHint(version)}
    >
      <LivePart
        id={id}
        hasInputs={shape.inputs.length > 0}
        hasOutputs={shape.outputs.length > 0}
        isNameLong={false}
      />
      <span className={nodeStyles.icon} data-head>
        <Icon of={iconOf(data.type)} />
      </span>
      <div className={nodeStyles.titles} data-head>
        <div className={nodeStyles.name}>{data.name}</div>
        <div className={nodeStyles.words} data-words>
          {words.gone}
        </div>
      </div>
      <StillPorts shape={shape} />
    </div>
  );
});

export const GhostStreamView = memo(function GhostStreamView(props: EdgeProps<GhostEdge>) {
  const { sourceX, sourceY, targetX, targetY } = props;
  const path = curvePath({ from: [sourceX - HALF_PORT, sourceY], to: [targetX + HALF_PORT, targetY] });
  return <path d={path} className={styles.stream} />;
});
