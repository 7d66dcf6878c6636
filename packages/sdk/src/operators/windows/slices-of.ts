import { calendarSlices } from './calendar-slices.ts';
import { GLOBAL_SLICES, type Slices, slidingSlices } from './slices.ts';
import type { GridWindow } from './window.ts';

export function slicesOf(window: GridWindow): Slices {
  if (window.type === 'calendar') return calendarSlices(window);
  return window.type === 'global' ? GLOBAL_SLICES : slidingSlices(window);
}
