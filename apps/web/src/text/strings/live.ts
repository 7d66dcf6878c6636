/** What people read in `editor/live/`. */
export const liveWords = {
  // level
  watermarks: { 'not-yet': 'not yet', idle: 'idle', ended: 'ended' },
  known: 'known',
  behind: (lag: string) => `${lag} behind`,
  // watermark-strip
  strip: 'Watermarks of all nodes on one axis of event time',
  allLevel: 'all level',
  slowest: (name: string, lag: string) => `slowest: ${name}, ${lag} apart`,
} as const;
