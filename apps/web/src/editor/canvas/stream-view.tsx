import { EdgeLabelRenderer, type EdgeProps, useStore as useFlowStore } from '@xyflow/react';
import { CircleAlert, KeyRound } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { formatCount } from '../../text/format-number.ts';
import { canvasWords as words } from '../../text/strings/canvas.ts';
import { Icon } from '../../ui/icon.tsx';
import { useEditor, useEditorState } from '../editor-context.tsx';
import { widthStep } from '../live/level.ts';
import { rateText } from '../live/rate-text.ts';
import { curvePath } from './curve.ts';
import type { FlowEdge } from './flow-elements.ts';
import { StreamFigures } from './stream-figures.tsx';
import { StreamSample, useMaySample } from './stream-sample.tsx';
import styles from './stream-view.module.css';

type Props = EdgeProps<FlowEdge>;

const HALF_PORT = 5;
const AROUND_LABEL = 6;
const LEAST_LABEL = 26;
/** With less room a key would be cut to a letter: its icon says that there is one. */
const LEAST_KEY = 72;
/** Nodes less apart in height stand side by side: an open label goes below both. */
const LEVEL = 64;
const BELOW = 38;

export const StreamView = memo(function StreamView(props: Props) {
  const { id, source, target, sourceX, sourceY, targetX, targetY, selected, data } = props;
  const { live } = useEditor();
  const isHovered = useEditorState(({ hoveredStream }) => hoveredStream === id);
  const isTarget = useEditorState(({ spliceInto }) => spliceInto === id);
  const line = useRef<SVGPathElement>(null);
  useEffect(
    () =>
      live.paintStream(id, (stream) => {
        const step = String(widthStep(stream?.rate));
        if (line.current !== null && line.current.dataset.step !== step) line.current.dataset.step = step;
      }),
    [id, live],
  );
  if (data === undefined) return null;
  // React Flow ends a stream at the outer edge of a port; it is drawn to the port's middle.
  const path = curvePath({ from: [sourceX - HALF_PORT, sourceY], to: [targetX + HALF_PORT, targetY] });
  const isFaulty = data.marks.errors > 0;
  const isOpen = selected === true || isHovered;
  const hasLabel = (data.name ?? data.stream.keyBy) !== undefined || isOpen || isFaulty;
  const [x, y] = [(sourceX + targetX) / 2, (sourceY + targetY) / 2];
  // Between two collapsed groups several streams lie on one another: each is told where it is pointed at.
  const isOneOfMany = source !== data.stream.from[0] && target !== data.stream.to[0];
  return (
    <>
      <path
        ref={line}
        d={path}
        className={styles.line}
        data-step="0"
        data-selected={selected}
        data-target={isTarget}
        data-error={isFaulty}
        data-to={data.stream.to[0]}
      />
      <path
        d={path}
        className="react-flow__edge-interaction"
        fill="none"
        strokeOpacity={0}
        strokeWidth={20}
      />
      {!isOpen && !isOneOfMany && (
        <EdgeLabelRenderer>
          <StreamFigures
            id={id}
            x={x}
            y={y}
            isLabelled={hasLabel}
            gap={Math.abs(targetX - sourceX)}
            rise={targetY - sourceY}
          />
        </EdgeLabelRenderer>
      )}
      {hasLabel && (
        <EdgeLabelRenderer>
          <Label
            id={id}
            data={data}
            x={x}
            y={y}
            room={Math.max(LEAST_LABEL, Math.abs(targetX - sourceX) - AROUND_LABEL)}
            isLevel={Math.abs(targetY - sourceY) < LEVEL}
            isOpen={isOpen}
          />
        </EdgeLabelRenderer>
      )}
    </>
  );
});

interface LabelProps {
  readonly id: string;
  readonly data: NonNullable<FlowEdge['data']>;
  readonly x: number;
  readonly y: number;
  readonly isOpen: boolean;
  /** Between the nodes; an open label takes what it needs. */
  readonly room: number;
  readonly isLevel: boolean;
}

function Label({ id, data, x, y, isOpen, room, isLevel }: LabelProps) {
  const { live, code } = useEditor();
  const figures = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    return live.paintStream(id, (stream) => {
      if (figures.current === null) return;
      const waiting = stream?.inFlight ? ` · ${words.waiting(formatCount(stream.inFlight))}` : '';
      figures.current.textContent = stream === undefined ? '' : `${rateText(stream.rate)}${waiting}`;
    });
  }, [id, live, isOpen]);
  const { name } = data;
  const { keyBy } = data.stream;
  const type = useStore(code.store, ({ types }) => types.get(id));
  const maySample = useMaySample();
  // What is asked about is read from afar, too.
  const scale = useFlowStore(({ transform }) => (isOpen ? Math.max(1, 1 / transform[2]) : 1));
  const isTall = isOpen && (type !== undefined || maySample);
  // From its upper edge, so that it grows downwards.
  const isBelow = isTall && isLevel;
  return (
    <div
      className={styles.label}
      style={{
        transform: `translate(${x}px, ${isBelow ? y + BELOW : y}px) scale(${scale}) translate(-50%, ${isBelow ? '0' : '-50%'})`,
        maxWidth: isOpen ? 360 : room,
      }}
      data-error={data.marks.errors > 0}
      data-asked={isOpen}
      data-open={isTall}
      data-tight={!isOpen && room < LEAST_KEY}
      title={data.marks.first ?? (keyBy === undefined ? data.label : words.keyedBy(keyBy))}
    >
      {(data.marks.errors > 0 || name !== undefined || (isOpen && keyBy === undefined)) && (
        <span className={styles.name}>
          {data.marks.errors > 0 && <Icon of={CircleAlert} size={12} />}
          <span>{name ?? (keyBy === undefined && data.stream.to[1])}</span>
        </span>
      )}
      {keyBy !== undefined && (
        <span className={styles.key}>
          <Icon of={KeyRound} size={12} />
          {/* A name says more; what it is keyed by is told when one asks. */}
          {(name === undefined || isOpen) && <span>{words.by(keyBy.replace(/\s+/g, ' '))}</span>}
        </span>
      )}
      {isOpen && <span ref={figures} className={styles.figures} />}
      {isOpen && type !== undefined && <code className={styles.type}>{type.replace(/\s+/g, ' ')}</code>}
      {isOpen && maySample && <StreamSample id={id} />}
    </div>
  );
}
