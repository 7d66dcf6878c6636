/** What people read in `editor/state/`. */
export const stateWords = {
  inspect: 'What to see of the node',
  settings: 'Settings',
  state: 'State',
  notForYou: 'State is data, and your role does not include seeing it',
  notForYouAbout: 'An owner of the workspace can change roles.',
  notDeployed: 'Nothing is stored yet',
  notDeployedAbout: 'Each key of a computation has state of its own once the pipeline runs.',
  find: 'Keys that begin with',
  keys: 'Keys',
  which: 'Which keys',
  all: 'All',
  biggest: 'Biggest',
  lookedAt: (count: number) =>
    `The biggest of the first ${count.toLocaleString('en-US')} keys: there are too many to look at all.`,
  none: 'No key is stored',
  noneAbout: 'A key is stored once its code has set state or a timer, and goes when it has neither.',
  noneBegin: (beginning: string) => `No key begins with ${beginning}.`,
  more: 'Show more keys',
  looking: 'Looking…',
  entries: (count: number) => counted(count, 'entry', 'entries'),
  timers: (count: number) => counted(count, 'timer', 'timers'),
  waiting: (count: number) => `${count.toLocaleString('en-US')} waiting`,
  changed: 'changed',
  changedAbout:
    'When its last change came from the log into its page: a few seconds after the change itself, later only where the engine was away in between.',
  unfolded: 'changed just now',
  unfoldedAbout:
    'Its last change is committed and lies in the log; every few seconds the log is folded into pages.',
  changedUnknown: 'change not known',
  changedUnknownAbout: 'It has not changed since the times of changes are kept.',
  emptyKey: 'the empty key',
  back: 'All keys',
  refresh: 'Read again',
  value: 'Value',
  noValue: 'No value is set.',
  map: (name: string) => `Map ${name}`,
  timersTitle: 'Timers',
  watermarkTimer: 'when the watermark passes',
  wallTimer: 'at, by the clock',
  holds: 'holds the watermark at',
  waitingTitle: 'Waiting records',
  late: 'late',
  tooLarge: (bytes: string) => `Too large to show: ${bytes}.`,
  cut: 'Only the beginning.',
  incomplete: 'More is stored than is shown.',
  readAgain: 'This key has nothing stored any more.',
} as const;

function counted(count: number, one: string, more: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : more}`;
}
