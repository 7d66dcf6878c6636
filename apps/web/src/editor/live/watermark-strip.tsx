import { useEffect, useRef } from 'react';
import { formatClock } from '../../text/format-time.ts';
import { useEditor } from '../editor-context.tsx';
import { select } from '../editor-store.ts';
import { lagText } from './level.ts';
import { stripOf } from './strip-ticks.ts';
import styles from './watermark-strip.module.css';

/** Where every node's watermark is, on one axis of event time. Painted from outside React. */
export function WatermarkStrip({ onReveal }: { readonly onReveal: (node: string) => void }) {
  const { live, draft, store } = useEditor();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const ticks = new Map<string, HTMLElement>();
    return live.paintAll((view) => {
      const strip = stripOf(view);
      const element = root.current;
      if (element === null) return;
      element.hidden = strip === undefined;
      if (strip === undefined) return;
      const [from, axis, to, slowest] = [...element.children] as HTMLElement[];
      write(from, formatClock(strip.from));
      write(to, formatClock(strip.to));
      const name = strip.slowest && draft.document.read().pipeline.nodes.get(strip.slowest)?.name;
      write(slowest, name ? `slowest: ${name}, ${lagText(strip.to - strip.from)} apart` : 'all level');
      if (slowest) slowest.dataset.node = strip.slowest ?? '';
      const seen = new Set<string>();
      for (const { node, at } of strip.ticks) {
        seen.add(node);
        let tick = ticks.get(node);
        if (tick === undefined && axis) {
          tick = document.createElement('span');
          ticks.set(node, tick);
          axis.append(tick);
        }
        if (tick) {
          tick.style.left = `${(at * 100).toFixed(2)}%`;
          tick.dataset.slowest = String(node === strip.slowest);
        }
      }
      for (const [node, tick] of ticks) {
        if (seen.has(node)) continue;
        tick.remove();
        ticks.delete(node);
      }
    });
  }, [live, draft]);
  return (
    <div ref={root} className={styles.strip} hidden title="Watermarks of all nodes on one axis of event time">
      <span className={styles.time} data-time="event" />
      <div className={styles.axis} />
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

function write(element: HTMLElement | undefined, text: string): void {
  if (element !== undefined && element.textContent !== text) element.textContent = text;
}
