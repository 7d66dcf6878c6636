import { useEffect, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { homeWords } from '../text/strings/home.ts';
import { classNames } from '../ui/class-names.ts';
import styles from './miniature.module.css';
import { NODE_HEIGHT, NODE_WIDTH, type Picture } from './picture.ts';
import { whenInSight } from './when-in-sight.ts';

export interface MiniatureProps {
  readonly pipeline: string;
  /** Another picture for another revision only. */
  readonly draftRevision: number;
}

/** Of drafts that were looked at: coming back to the page draws at once. */
const drawn = new Map<string, Picture>();
const MOST_DRAWN = 200;
/** Before this many canvas units a small graph would fill its card with one giant node. */
const LEAST_WIDTH = 1100;
const LEAST_HEIGHT = 300;
const MARGIN = 60;

/** The real graph, small. Fetched when the card comes into sight. */
export function Miniature({ pipeline, draftRevision }: MiniatureProps) {
  const key = `${pipeline} ${draftRevision}`;
  const frame = useRef<HTMLDivElement>(null);
  const [picture, setPicture] = useState(drawn.get(key));
  useEffect(() => {
    const known = drawn.get(key);
    if (known) return setPicture(known);
    const aborting = new AbortController();
    const stop = whenInSight(frame.current, (isSeen) => {
      if (!isSeen) return;
      stop();
      call('pipelines.picture', { params: { pipeline }, signal: aborting.signal })
        .then((drawing) => setPicture(keep(key, drawing)))
        // A card without a picture is still a card.
        .catch(() => undefined);
    });
    return () => {
      stop();
      aborting.abort();
    };
  }, [pipeline, key]);
  return (
    <div ref={frame} className={styles.frame}>
      {picture && picture.nodes.length > 0 && <Drawing picture={picture} />}
      {picture?.nodes.length === 0 && <p className={styles.empty}>{homeWords.nothingDrawnYet}</p>}
    </div>
  );
}

export function Drawing({ picture: { nodes, streams } }: { readonly picture: Picture }) {
  return (
    <svg className={styles.drawing} viewBox={viewBox(nodes)} aria-hidden="true">
      <path className={styles.stream} d={streams.map((stream) => curve(nodes, stream)).join('')} />
      {nodes.map(({ kind, x, y }, i) => (
        <g
          // biome-ignore lint/suspicious/noArrayIndexKey: a picture never changes
          key={i}
          className={classNames(styles.node, styles[kind])}
          transform={`translate(${x - NODE_WIDTH / 2} ${y - NODE_HEIGHT / 2})`}
        >
          <rect width={NODE_WIDTH} height={NODE_HEIGHT} rx={12} />
          <path d={`M14 0h-2a12 12 0 0 0-12 12v${NODE_HEIGHT - 24}a12 12 0 0 0 12 12h2z`} />
        </g>
      ))}
    </svg>
  );
}

function viewBox(nodes: Picture['nodes']): string {
  const [left, right] = span(
    nodes.map(({ x }) => x),
    NODE_WIDTH,
    LEAST_WIDTH,
  );
  const [top, bottom] = span(
    nodes.map(({ y }) => y),
    NODE_HEIGHT,
    LEAST_HEIGHT,
  );
  return `${left} ${top} ${right - left} ${bottom - top}`;
}

function span(middles: readonly number[], size: number, least: number): readonly [number, number] {
  const low = Math.min(...middles, Number.POSITIVE_INFINITY);
  const high = Math.max(...middles, Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(low)) return [0, least];
  const spread = Math.max(least, high - low + size + 2 * MARGIN);
  return [(low + high - spread) / 2, (low + high + spread) / 2];
}

function curve(nodes: Picture['nodes'], { from, to }: Picture['streams'][number]): string {
  const [source, target] = [nodes[from], nodes[to]];
  if (!source || !target) return '';
  const [x1, y1] = [source.x + NODE_WIDTH / 2, source.y];
  const [x2, y2] = [target.x - NODE_WIDTH / 2, target.y];
  const bend = Math.max(40, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

function keep(key: string, picture: Picture): Picture {
  if (drawn.size >= MOST_DRAWN) drawn.clear();
  drawn.set(key, picture);
  return picture;
}
