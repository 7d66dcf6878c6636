import type { ViewNode } from '@millrace/protocol/api';
import { useEffect, useRef } from 'react';
import { formatCount } from '../../text/format-number.ts';
import { formatSpan } from '../../text/format-time.ts';
import { inspectorWords as words } from '../../text/strings/inspector.ts';
import type { CanvasSlot } from '../canvas/canvas-view.ts';
import { useEditor } from '../editor-context.tsx';
import { rateText } from '../live/rate-text.ts';
import { paintWatermark, WatermarkText } from '../live/watermark-text.tsx';
import { writeText } from '../live/write-text.ts';
import styles from './inspector.module.css';
import { WatermarkCause } from './watermark-cause.tsx';

type FigureText = (node: ViewNode, openLetters: number | undefined) => string;

const FIGURES: readonly (readonly [label: string, of: FigureText])[] = [
  [words.waitsForOthers, (node) => waitText(node.aheadMs)],
  [words.in, (node) => words.rateAndCount(rateText(node.inRate), formatCount(node.in ?? 0))],
  [words.out, (node) => words.rateAndCount(rateText(node.outRate), formatCount(node.out ?? 0))],
  [words.busy, (node) => words.percent(node.busy ?? 0)],
  [words.waiting, (node) => formatCount((node.waiting ?? 0) + (node.backlog ?? 0))],
  [words.late, (node) => formatCount(node.late ?? 0)],
  [words.deadLetters, ({ deadLettered = 0 }, open) => letterText(deadLettered, open)],
];

/** The count of a run never falls; what was redriven or discarded is not open any more. */
function letterText(all: number, open: number | undefined): string {
  const total = formatCount(all);
  return open === undefined || open === all ? total : words.openOf(formatCount(open), total);
}

/** Beyond any span of time: an injector it is joined with has not said yet how far it is. */
const UNKNOWN_SPAN = 1e15;

function waitText(aheadMs: number | undefined): string {
  if (aheadMs === undefined) return '';
  return aheadMs > UNKNOWN_SPAN ? words.aheadOfUnknown : words.ahead(formatSpan(aheadMs));
}

/** A node's numbers while it runs, painted from outside React. */
export function NodeLive({ id, slot }: { readonly id: string; readonly slot: CanvasSlot }) {
  const { live, letters } = useEditor();
  const part = useRef<HTMLElement>(null);
  useEffect(
    () =>
      live.paintNode(id, (node, isBeat) => {
        const root = part.current;
        if (root === null || !isBeat) return;
        root.hidden = node === undefined;
        if (node === undefined) return;
        // What holds the watermark has a list of its own below, which is not painted.
        const [watermark, ...cells] = root.querySelectorAll<HTMLElement>(':scope > dl dd');
        if (watermark) paintWatermark(watermark, node);
        cells.forEach((cell, i) => {
          const text = FIGURES[i]?.[1](node, letters.of(id, node.deadLettered ?? 0)) ?? '';
          if (cell.textContent === text) return;
          writeText(cell, text);
          const row = cell.parentElement as HTMLElement;
          row.style.display = text === '' ? 'none' : 'contents';
        });
      }),
    [id, live, letters],
  );
  return (
    <section ref={part} className={styles.part} aria-label={words.now} hidden>
      <h3>{words.now}</h3>
      <dl className={styles.figures}>
        <div style={{ display: 'contents' }}>
          <dt>{words.watermark}</dt>
          <dd>
            <WatermarkText />
          </dd>
        </div>
        {FIGURES.map(([label]) => (
          <div key={label} style={{ display: 'none' }}>
            <dt>{label}</dt>
            <dd />
          </div>
        ))}
      </dl>
      <WatermarkCause key={id} node={id} slot={slot} />
    </section>
  );
}
