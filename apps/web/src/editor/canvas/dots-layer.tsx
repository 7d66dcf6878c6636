import { useStoreApi } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import styles from './dots-layer.module.css';

/** Between dots, in canvas units; from afar every second one, and every fourth. */
const GAP = 24;
const LEAST = 14;
/** How far the layer reaches beyond the canvas, as dots-layer.module.css has it. */
const BEYOND = 64;

/** The grid behind: drawn once and shifted by less than a gap, where a pattern would be drawn anew each frame. */
export function DotsLayer() {
  const internals = useStoreApi();
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = (): void => {
      const { style } = layer.current ?? {};
      if (style === undefined) return;
      const [x, y, zoom] = internals.getState().transform;
      let gap = GAP * zoom;
      while (gap < LEAST) gap *= 2;
      const size = `${gap}px ${gap}px`;
      if (style.backgroundSize !== size) style.backgroundSize = size;
      style.transform = `translate(${shift(x, gap)}px, ${shift(y, gap)}px)`;
    };
    place();
    return internals.subscribe(place);
  }, [internals]);
  return <div ref={layer} className={styles.dots} aria-hidden />;
}

/** Less than half a gap either way; a dot's middle is the middle of its tile. */
const shift = (at: number, gap: number): number => ((((at + BEYOND) % gap) + gap) % gap) - gap / 2;
