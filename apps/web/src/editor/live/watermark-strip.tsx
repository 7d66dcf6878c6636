import { type PointerEvent, useEffect, useRef } from 'react';
import { onThemeChange, tokenColour } from '../../shell/theme.ts';
import { formatClock, formatIso, formatMark } from '../../text/format-time.ts';
import { liveWords as words } from '../../text/strings/live.ts';
import { useEditor } from '../editor-context.tsx';
import { select } from '../editor-store.ts';
import { drawTicks } from './draw-ticks.ts';
import { lagText } from './level.ts';
import { type Strip, stripOf, type Tick, ticksNear } from './strip-ticks.ts';
import styles from './watermark-strip.module.css';
import { writeText } from './write-text.ts';

/** So near to a tick, in pixels, the pointer means it. */
const REACH = 5;
const MOST_NAMED = 5;

/** Where every node's watermark is, on one axis of event time. Painted from outside React. */
export function WatermarkStrip({ onReveal }: { readonly onReveal: (node: string) => void }) {
  const { live, draft, store } = useEditor();
  const root = useRef<HTMLElement>(null);
  const shown = useRef<Strip>(undefined);
  const nameOf = (node: string): string => draft.document.read().pipeline.nodes.get(node)?.name ?? node;
  useEffect(() => {
    let drawn = '';
    let colours = readColours();
    const stopTheme = onThemeChange(() => {
      drawn = '';
      colours = readColours();
    });
    const stop = live.paintAll((view, isBeat) => {
      const strip = stripOf(view);
      shown.current = strip;
      const element = root.current;
      if (element === null) return;
      const isHidden = strip === undefined;
      if (element.hidden !== isHidden) element.hidden = isHidden;
      if (strip === undefined) return;
      const axis = element.querySelector('canvas');
      if (axis !== null) drawn = drawTicks(axis, strip, colours, drawn);
      if (isBeat)
        writeWords(element, strip, {
          now: view?.at ?? Date.now(),
          slowest: strip.slowest && draft.document.read().pipeline.nodes.get(strip.slowest)?.name,
        });
    });
    return () => {
      stop();
      stopTheme();
    };
  }, [live, draft]);

  const reveal = (node: string | undefined): void => {
    if (node === undefined || node === '') return;
    select(store, { nodes: [node] });
    onReveal(node);
  };
  const under = ({ currentTarget, clientX }: PointerEvent<HTMLCanvasElement>): readonly Tick[] => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return shown.current ? ticksNear(shown.current, (clientX - left) / width, REACH / width) : [];
  };
  const tellTicks = (event: PointerEvent<HTMLCanvasElement>): void => {
    const ticks = under(event);
    event.currentTarget.style.cursor = ticks.length > 0 ? 'pointer' : '';
    const named = ticks.slice(0, MOST_NAMED).map(({ node, time }) => `${nameOf(node)} ${formatMark(time)}`);
    const more = ticks.length > MOST_NAMED ? [words.more(ticks.length - MOST_NAMED)] : [];
    event.currentTarget.title = [...named, ...more].join('\n');
  };
  return (
    <section ref={root} className={styles.strip} aria-label={words.strip} hidden>
      <span className={styles.legend} data-time="event" title={words.eventTimeAbout}>
        {words.eventTime}
      </span>
      <span className={styles.time} data-time="event" data-part="from" />
      <canvas
        className={styles.axis}
        aria-hidden
        onPointerMove={tellTicks}
        onPointerDown={(event) => reveal(under(event)[0]?.node)}
      />
      <span className={styles.time} data-time="event" data-part="to" />
      <span className={styles.now} data-part="now" title={words.nowAbout} />
      <button
        type="button"
        className={styles.slowest}
        data-part="slowest"
        onClick={({ currentTarget }) => reveal(currentTarget.dataset.node)}
      />
      <span className={styles.rest} data-part="rest" />
    </section>
  );
}

interface Told {
  /** Wall time, UTC ms. */
  readonly now: number;
  /** The slowest node's name. */
  readonly slowest: string | undefined;
}

function writeWords(element: HTMLElement, strip: Strip, { now, slowest }: Told): void {
  const part = (name: string) => element.querySelector<HTMLElement>(`[data-part="${name}"]`) ?? undefined;
  const isEmpty = strip.ticks.length === 0;
  writeTime(part('from'), isEmpty ? undefined : strip.from);
  // Where the axis ends at the clock on the wall, that stands there.
  writeTime(part('to'), isEmpty || strip.nowAt === 1 ? undefined : strip.to);
  writeText(part('now'), `${words.now} ${formatClock(now)}`);
  const button = part('slowest');
  const apart = slowest ? words.slowest(slowest, lagText(strip.apartMs)) : words.allLevel;
  writeText(button, isEmpty ? '' : apart);
  if (button) button.dataset.node = strip.slowest ?? '';
  const { idle, notYet, ended } = strip;
  const rest = [
    idle > 0 ? words.idle(idle) : '',
    notYet > 0 ? words.notYet(notYet) : '',
    ended > 0 ? words.ended(ended) : '',
  ];
  writeText(part('rest'), rest.filter(Boolean).join(' · '));
}

function writeTime(element: HTMLElement | undefined, time: number | undefined): void {
  if (element === undefined) return;
  const isHidden = time === undefined;
  if (element.hidden !== isHidden) element.hidden = isHidden;
  if (time === undefined) return;
  const text = formatMark(time);
  if (element.textContent !== text) element.title = formatIso(time);
  writeText(element, text);
}

const readColours = () => ({
  tick: tokenColour('--accent'),
  slowest: tokenColour('--warn'),
  now: tokenColour('--text-faint'),
});
