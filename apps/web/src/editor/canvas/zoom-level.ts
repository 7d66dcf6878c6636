/** Semantic zoom: what is drawn of a node from how far away. */
export type ZoomLevel = 'far' | 'middle' | 'near';

/** Below, 11-px text would be drawn smaller than 5 px: it is left out. */
const MIDDLE = 0.4;
const NEAR = 0.6;

export function zoomLevel(zoom: number): ZoomLevel {
  if (zoom < MIDDLE) return 'far';
  return zoom < NEAR ? 'middle' : 'near';
}
