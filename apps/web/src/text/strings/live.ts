/** What people read in `editor/live/`. */
export const liveWords = {
  // level
  watermarks: { 'not-yet': 'not yet', idle: 'idle', ended: 'ended' },
  since: 'since',
  behind: (lag: string) => `${lag} behind`,
  ahead: (lag: string) => `${lag} ahead`,
  slowestInside: 'The watermark inside that is farthest behind',
  // node-foot
  watermarkAbout: 'Watermark: event time up to which all has come',
  dead: (count: string) => `${count} dead`,
  openOf: (open: string, all: string) => `${open} of ${all}, the others were redriven or discarded`,
  deadAbout: 'Records set aside with an error',
  late: (count: string) => `${count} late`,
  lateAbout: 'Records that came after the watermark',
  held: (count: string) => `${count} held`,
  heldAbout: 'Records that wait in this node',
  setAside: (count: string) => `${count} set aside`,
  setAsideAbout: 'Records kept from processing, such as those of a time too far in the future',
  busy: (percent: number) => `busy ${percent} %`,
  // stream figures
  waiting: (count: string) => `${count} waiting`,
  waitingAbout: 'Records on this stream that nobody has taken yet: more than flow in a second',
  lastMinute: 'Records a second over the last minute',
  // watermark-strip
  strip: 'Watermarks of all nodes on one axis of event time',
  eventTime: 'Event time',
  eventTimeAbout: 'What the data says about when something happened. It is always written like this.',
  now: 'now',
  nowAbout: 'The clock on the wall, as the server has it.',
  idle: (count: number) => `${count} idle`,
  notYet: (count: number) => `${count} not yet`,
  ended: (count: number) => `${count} ended`,
  more: (count: number) => `and ${count} more`,
  allLevel: 'all level',
  slowest: (name: string, lag: string) => `slowest: ${name}, ${lag} apart`,
} as const;
