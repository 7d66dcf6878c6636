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
import { type Curve, curvePath, middleOfCurve, type Point } from './curve.ts';
import type { FlowEdge } from './flow-elements.ts';
import { StreamFigures } from './stream-figures.tsx';
import { isTight, placeFor } from './stream-places.ts';
import { StreamSample, useMaySample } from './stream-sample.tsx';
import styles from './stream-view.module.css';
import { useFigureZoom, useStreamPlace } from './use-stream-places.ts';

type Props = EdgeProps<FlowEdge>;

const HALF_PORT = 5;
/** Nodes less apart in height stand side by side: an open label goes below both. */
const LEVEL = 64;
const BELOW = 38;

export const StreamView = memo(function StreamView(props: Props) {
  const { id, sourceX, sourceY, targetX, targetY, selected, data } = props;
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
  const known = useStreamPlace(id);
  if (data === undefined) return null;
  // React Flow ends a stream at the outer edge of a port; it is drawn to the port's middle.
  const curve: Curve = { from: [sourceX - HALF_PORT, sourceY], to: [targetX + HALF_PORT, targetY] };
  const path = curvePath(curve);
  const place = placeFor(known, curve);
  const isFaulty = data.marks.errors > 0;
  const isOpen = selected === true || isHovered;
  const at = place?.at ?? middleOfCurve(curve);
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
      {!isOpen && place !== undefined && (
        <EdgeLabelRenderer>
          <StreamFigures id={id} place={place} />
        </EdgeLabelRenderer>
      )}
      {(isOpen || place?.label !== undefined) && (
        <EdgeLabelRenderer>
          <Label
            id={id}
            data={data}
            at={at}
            room={place?.label}
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
  readonly at: Point;
  readonly isOpen: boolean;
  /** What was found for it; an open label takes what it needs. */
  readonly room: number | undefined;
  readonly isLevel: boolean;
}

function Label({ id, data, at: [x, y], isOpen, room, isLevel }: LabelProps) {
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
  const zoom = useFigureZoom();
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
      data-tight={!isOpen && room !== undefined && isTight(room, zoom)}
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
