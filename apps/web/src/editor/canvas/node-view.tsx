import type { NodeProps } from '@xyflow/react';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { memo, useState } from 'react';
import { canvasWords } from '../../text/strings/canvas.ts';
import { Icon } from '../../ui/icon.tsx';
import { useEditorState } from '../editor-context.tsx';
import { iconOf } from '../node-icons.tsx';
import { PeerFlags } from '../peers/peer-flags.tsx';
import { StandingMark } from '../versions/standing-mark.tsx';
import type { FlowNode, NodeContent } from './flow-elements.ts';
import { LivePart } from './live-part.tsx';
import { NameField } from './name-field.tsx';
import styles from './node-view.module.css';
import { PortView } from './port-view.tsx';
import { useDetail } from './use-sight.ts';

type Props = NodeProps<Extract<FlowNode, { type: 'node' }>>;

/** Of so many letters even the widest fit. */
const LONG = 8;
/** So many letters are there beside the rates. */
const BESIDE_RATES = 14;

export const NodeView = memo(function NodeView(props: Props) {
  const detail = useDetail(props.id);
  if (detail === 'shell') return null;
  if (detail === 'plain') return <PlainNode {...props} />;
  return (
    <div className={detail === 'away' ? styles.away : styles.here}>
      <FullNode {...props} />
    </div>
  );
});

/** As seen from afar: what it is, its name while that can be read, and whether something is wrong. */
function PlainNode({ id, data, selected }: Props) {
  const isActive = useEditorState(({ active }) => active === id);
  const isRenaming = useEditorState(({ renaming }) => renaming === id);
  const isDrawing = useEditorState(({ connecting }) => connecting !== undefined);
  const [isUnder, setUnder] = useState(false);
  const { node, look, shape, marks } = data;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a node is a group of its ports, not a form field
    <div
      id={`node-${id}`}
      role="group"
      aria-label={spoken(data)}
      className={`${styles.node} ${styles.plain}`}
      data-look={look}
      data-selected={selected}
      data-active={isActive}
      data-error={marks.errors > 0}
      style={{ height: shape.height }}
      onPointerEnter={() => setUnder(true)}
      onPointerLeave={() => setUnder(false)}
    >
      {isRenaming ? <NameField id={id} name={node.name} /> : <div className={styles.name}>{node.name}</div>}
      <PeerFlags id={id} />
      {(isUnder || isDrawing) && <Ports id={id} shape={shape} />}
    </div>
  );
}

const FullNode = memo(function FullNode({ id, data, selected }: Props) {
  const isActive = useEditorState(({ active }) => active === id);
  const isRenaming = useEditorState(({ renaming }) => renaming === id);
  const { node, look, words, shape, title } = data;
  const said = words === '' ? title.toLowerCase() : words;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a node is a group of its ports, not a form field
    <div
      id={`node-${id}`}
      role="group"
      aria-label={spoken(data)}
      className={styles.node}
      data-look={look}
      data-selected={selected}
      data-active={isActive}
      data-error={data.marks.errors > 0}
      style={{ height: shape.height }}
    >
      <LivePart
        id={id}
        hasInputs={shape.inputs.length > 0}
        hasOutputs={shape.outputs.length > 0}
        isNameLong={node.name.length > BESIDE_RATES}
      />
      <span className={styles.icon} data-head>
        <Icon of={iconOf(node.type)} />
      </span>
      <div className={styles.titles} data-head>
        {isRenaming ? (
          <NameField id={id} name={node.name} />
        ) : (
          <div className={styles.name} data-long={node.name.length > LONG}>
            {node.name}
          </div>
        )}
        <div className={styles.words} data-words data-long={said.length > LONG}>
          {said}
        </div>
      </div>
      <StandingMark id={id} />
      <MarksPart marks={data.marks} />
      <PeerFlags id={id} />
      <Ports id={id} shape={shape} />
    </div>
  );
});

const Ports = ({ id, shape }: { readonly id: string; readonly shape: NodeContent['shape'] }) => (
  <>
    {shape.inputs.map((place) => (
      <PortView key={`i${place.name}`} node={id} side="input" place={place} />
    ))}
    {shape.outputs.map((place) => (
      <PortView key={`o${place.name}`} node={id} side="output" place={place} />
    ))}
  </>
);

function MarksPart({ marks: { errors, warnings, first } }: Pick<NodeContent, 'marks'>) {
  if (errors + warnings === 0) return null;
  const isError = errors > 0;
  return (
    <span className={styles.mark} data-tone={isError ? 'error' : 'warn'} title={first}>
      <Icon of={isError ? CircleAlert : TriangleAlert} size={12} />
      {isError ? errors : warnings}
    </span>
  );
}

function spoken({ node, title, words, marks }: NodeContent): string {
  const faults = marks.errors > 0 ? `, ${canvasWords.errors(marks.errors)}` : '';
  return `${node.name}, ${title}${words === '' ? '' : `, ${words}`}${faults}`;
}
