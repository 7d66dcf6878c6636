import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { editorWords as words } from '../text/strings/editor.ts';
import styles from './pane.module.css';

export interface PaneProps {
  readonly side: 'left' | 'right' | 'bottom';
  readonly label: string;
  readonly size: number;
  readonly least: number;
  readonly most: number;
  readonly onResize: (size: number) => void;
  readonly children: ReactNode;
}

const STEP = 16;

/** A pane beside the canvas; its inner edge is dragged, or moved by the arrow keys. */
export function Pane({ side, label, size, least, most, onResize, children }: PaneProps) {
  const [start, setStart] = useState<{ at: number; size: number }>();
  const isUpright = side !== 'bottom';
  const bounded = (next: number): number => Math.round(Math.min(most, Math.max(least, next)));
  const placeOf = (event: PointerEvent): number => (isUpright ? event.clientX : event.clientY);
  const way = side === 'left' ? 1 : -1;
  return (
    <div className={styles.pane} data-side={side} style={isUpright ? { width: size } : { height: size }}>
      {/* biome-ignore lint/a11y/useSemanticElements: a separator that is moved is a widget, not a rule */}
      <div
        className={styles.edge}
        role="separator"
        tabIndex={0}
        aria-label={words.widthOf(label)}
        aria-orientation={isUpright ? 'vertical' : 'horizontal'}
        aria-valuenow={size}
        aria-valuemin={least}
        aria-valuemax={most}
        data-dragged={start !== undefined}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setStart({ at: placeOf(event), size });
        }}
        onPointerMove={(event) => {
          if (start !== undefined) onResize(bounded(start.size + way * (placeOf(event) - start.at)));
        }}
        onPointerUp={() => setStart(undefined)}
        onKeyDown={(event: KeyboardEvent) => {
          const keys = isUpright ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
          const by = keys.indexOf(event.key);
          if (by < 0) return;
          event.preventDefault();
          onResize(bounded(size + way * (by === 0 ? -STEP : STEP)));
        }}
      />
      {children}
    </div>
  );
}
