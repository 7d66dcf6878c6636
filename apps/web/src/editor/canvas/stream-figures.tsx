/** What flows on a stream, at its middle: the last minute stands on the line, the rate and what waits below it. */
import { useEffect, useRef } from 'react';
import { formatCount, formatFull } from '../../text/format-number.ts';
import { liveWords as words } from '../../text/strings/live.ts';
import { sparkArea, sparkPath } from '../../ui/sparkline.tsx';
import { useEditor } from '../editor-context.tsx';
import { rateText } from '../live/rate-text.ts';
import { backlogOf } from '../live/stream-backlog.ts';
import { writeText } from '../live/write-text.ts';
import styles from './stream-figures.module.css';

export const SPARK = { width: 44, height: 12 } as const;

export interface StreamFiguresProps {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** A label lies on the line: there is less room. */
  readonly isLabelled: boolean;
  /** Between the nodes it joins: how far apart they are, and how far the line climbs or falls. */
  readonly gap: number;
  readonly rise: number;
}

/** Less apart, what waits is told in two lines, and a line is not level enough for anything to stand on it. */
const NARROW = 96;
const STEEP = 12;

/** Painted from outside React. */
export function StreamFigures({ id, x, y, isLabelled, gap, rise }: StreamFiguresProps) {
  const { live } = useEditor();
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = part.current;
    if (root === null) return;
    const [area, line] = root.querySelectorAll('path');
    const [, rate, waiting] = [...root.children] as [Element, HTMLElement, HTMLElement];
    let drawn = '';
    return live.paintStream(id, (stream, isBeat) => {
      if (!isBeat) return;
      const isHidden = stream === undefined;
      if (root.hidden !== isHidden) root.hidden = isHidden;
      if (stream === undefined) return;
      writeText(rate, rateText(stream.rate));
      const backlog = backlogOf(stream);
      if (waiting.hidden !== (backlog === undefined)) waiting.hidden = backlog === undefined;
      if (backlog !== undefined) {
        writeText(waiting, words.waitingInLines(formatCount(backlog)));
        waiting.title = `${words.waitingAbout}: ${formatFull(backlog)}`;
      }
      const path = sparkPath(live.history.of(id), SPARK.width, SPARK.height - 1);
      if (path === drawn) return;
      area?.setAttribute('d', sparkArea(path, SPARK.height));
      line?.setAttribute('d', path);
      drawn = path;
    });
  }, [id, live]);
  return (
    <div
      ref={part}
      className={styles.figures}
      data-stream={id}
      data-labelled={isLabelled}
      data-narrow={gap < NARROW}
      data-steep={gap < NARROW && Math.abs(rise) > STEEP}
      style={{ transform: `translate(${x}px, ${y}px)` }}
      hidden
    >
      <svg className={styles.spark} width={SPARK.width} height={SPARK.height} aria-hidden>
        <title>{words.lastMinute}</title>
        <path className={styles.area} />
        <path className={styles.line} />
      </svg>
      <span className={styles.rate} />
      <span className={styles.waiting} hidden />
    </div>
  );
}
