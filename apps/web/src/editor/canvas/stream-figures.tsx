/** What flows on a stream: the last minute, the rate and what waits, as far as there is room for them. */
import { Hourglass } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { formatCount, formatFull } from '../../text/format-number.ts';
import { liveWords as words } from '../../text/strings/live.ts';
import { Icon } from '../../ui/icon.tsx';
import { sparkArea, sparkPath } from '../../ui/sparkline.tsx';
import { useEditor } from '../editor-context.tsx';
import { rateText } from '../live/rate-text.ts';
import { backlogOf } from '../live/stream-backlog.ts';
import { writeText } from '../live/write-text.ts';
import styles from './stream-figures.module.css';
import { figureOffsets, type StreamPlace } from './stream-places.ts';
import { useFigureZoom } from './use-stream-places.ts';

export const SPARK = { width: 44, height: 12 } as const;

export interface StreamFiguresProps {
  readonly id: string;
  readonly place: StreamPlace;
}

/** Painted from outside React. */
export function StreamFigures({ id, place }: StreamFiguresProps) {
  const { live } = useEditor();
  const zoom = useFigureZoom();
  const part = useRef<HTMLDivElement>(null);
  const { figures, at } = place;
  useEffect(() => {
    const root = part.current;
    if (root === null || figures === 'none') return;
    const [area, line] = root.querySelectorAll('svg:first-child path');
    const [, rate, waiting] = [...root.children] as [Element, HTMLElement, HTMLElement];
    const said = waiting.lastElementChild as HTMLElement;
    let drawn = '';
    return live.paintStream(id, (stream, isBeat) => {
      if (!isBeat) return;
      setHidden(root, stream === undefined);
      if (stream === undefined) return;
      writeText(rate, rateText(stream.rate));
      const backlog = backlogOf(stream);
      setHidden(waiting, backlog === undefined);
      // Without a place of its own what waits stands where the rate does.
      setHidden(rate, backlog !== undefined && figures !== 'full');
      if (backlog !== undefined) {
        const count = formatCount(backlog);
        writeText(said, figures === 'full' ? words.waiting(count) : count);
        waiting.title = `${words.waitingAbout}: ${formatFull(backlog)}`;
      }
      const path = sparkPath(live.history.of(id), SPARK.width, SPARK.height - 1);
      if (path === drawn) return;
      area?.setAttribute('d', sparkArea(path, SPARK.height));
      line?.setAttribute('d', path);
      drawn = path;
    });
  }, [id, live, figures]);
  if (figures === 'none') return null;
  const { spark, rate, waiting } = figureOffsets(place, zoom);
  return (
    <div
      ref={part}
      className={styles.figures}
      data-stream={id}
      data-figures={figures}
      data-level={place.isLevel || place.label !== undefined}
      style={{ transform: `translate(${at[0]}px, ${at[1]}px)` }}
      hidden
    >
      <svg
        className={styles.spark}
        width={SPARK.width}
        height={SPARK.height}
        style={{ top: spark }}
        aria-hidden
      >
        <title>{words.lastMinute}</title>
        <path className={styles.area} />
        <path className={styles.line} />
      </svg>
      <span className={styles.rate} style={{ top: rate }} />
      <span className={styles.waiting} style={{ top: figures === 'full' ? waiting : rate }} hidden>
        <Icon of={Hourglass} size={10} />
        <span />
      </span>
    </div>
  );
}

function setHidden(element: HTMLElement, isHidden: boolean): void {
  if (element.hidden !== isHidden) element.hidden = isHidden;
}
