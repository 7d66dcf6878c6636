/** What flows on a stream, at its middle: the last minute stands on the line, the rate and what waits below it. */
import { useEffect, useRef } from 'react';
import { formatCount, formatFull } from '../../text/format-number.ts';
import { liveWords as words } from '../../text/strings/live.ts';
import { sparkPath } from '../../ui/sparkline.tsx';
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
}

/** Painted from outside React. */
export function StreamFigures({ id, x, y, isLabelled }: StreamFiguresProps) {
  const { live } = useEditor();
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = part.current;
    if (root === null) return;
    const spark = root.querySelector('path');
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
        writeText(waiting, words.waiting(formatCount(backlog)));
        waiting.title = `${words.waitingAbout}: ${formatFull(backlog)}`;
      }
      const path = sparkPath(live.history.of(id), SPARK.width, SPARK.height - 1);
      if (path !== drawn) spark?.setAttribute('d', path);
      drawn = path;
    });
  }, [id, live]);
  return (
    <div
      ref={part}
      className={styles.figures}
      data-stream={id}
      data-labelled={isLabelled}
      style={{ transform: `translate(${x}px, ${y}px)` }}
      hidden
    >
      <svg className={styles.spark} width={SPARK.width} height={SPARK.height} aria-hidden>
        <title>{words.lastMinute}</title>
        <path />
      </svg>
      <span className={styles.rate} />
      <span className={styles.waiting} hidden />
    </div>
  );
}
