import { useEffect, useRef } from 'react';
import { onThemeChange, tokenColour } from '../../shell/theme.ts';
import { formatClock } from '../../text/format-time.ts';
import { liveWords as words } from '../../text/strings/live.ts';
import { useEditor } from '../editor-context.tsx';
import { select } from '../editor-store.ts';
import { drawTicks } from './draw-ticks.ts';
import { lagText } from './level.ts';
import { stripOf } from './strip-ticks.ts';
import styles from './watermark-strip.module.css';

/** Where every node's watermark is, on one axis of event time. Painted from outside React. */
export function WatermarkStrip({ onReveal }: { readonly onReveal: (node: string) => void }) {
  const { live, draft, store } = useEditor();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let drawn = '';
    let colours = readColours();
    const stopTheme = onThemeChange(() => {
      drawn = '';
      colours = readColours();
    });
    const stop = live.paintAll((view) => {
      const strip = stripOf(view);
      const element = root.current;
      if (element === null) return;
      element.hidden = strip === undefined;
      if (strip === undefined) return;
      const [from, axis, to, slowest] = [...element.children] as HTMLElement[];
      write(from, formatClock(strip.from));
      write(to, formatClock(strip.to));
      const name = strip.slowest && draft.document.read().pipeline.nodes.get(strip.slowest)?.name;
      write(slowest, name ? words.slowest(name, lagText(strip.to - strip.from)) : words.allLevel);
      if (slowest) slowest.dataset.node = strip.slowest ?? '';
      if (axis instanceof HTMLCanvasElement) drawn = drawTicks(axis, strip, colours, drawn);
    });
    return () => {
      stop();
      stopTheme();
    };
  }, [live, draft]);
  return (
    <div ref={root} className={styles.strip} hidden title={words.strip}>
      <span className={styles.time} data-time="event" />
      <canvas className={styles.axis} aria-hidden />
      <span className={styles.time} data-time="event" />
      <button
        type="button"
        className={styles.slowest}
        onClick={({ currentTarget }) => {
          const node = currentTarget.dataset.node;
          if (!node) return;
          select(store, { nodes: [node] });
          onReveal(node);
        }}
      />
    </div>
  );
}

const readColours = () => ({ tick: tokenColour('--accent'), slowest: tokenColour('--warn') });

function write(element: HTMLElement | undefined, text: string): void {
  if (element !== undefined && element.textContent !== text) element.textContent = text;
}
