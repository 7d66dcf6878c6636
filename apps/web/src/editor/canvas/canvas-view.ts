/** What other parts of the editor ask of the canvas. */
import type { Point } from '../editor-store.ts';

export interface CanvasView {
  /** Brings nodes, notes or streams into sight, where they are not. */
  readonly reveal: (ids: readonly string[]) => void;
  readonly fit: (ids?: readonly string[]) => void;
  readonly zoomBy: (factor: number) => void;
  /** The middle of what is seen, in canvas units. */
  readonly middle: () => Point;
  readonly focus: () => void;
}

/** Set while a canvas is on the page. */
export interface CanvasSlot {
  current: CanvasView | undefined;
}
