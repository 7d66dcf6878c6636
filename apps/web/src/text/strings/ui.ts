/** What people read in `ui/`. */
export const uiWords = {
  // command-list
  commands: 'Commands',
  doSomethingGoSomewhere: 'Do something, go somewhere',
  nothingHasThatName: 'Nothing has that name.',
  // copy-field
  copied: 'Copied',
  copy: 'Copy',
  // dialog
  close: 'Close',
  // json-tree
  moreOf: (left: number) => `Show more: ${left.toLocaleString('en-US')} left`,
  // kbd
  ctrl: 'Ctrl',
  shift: 'Shift',
  alt: 'Alt',
  enter: 'Enter',
  esc: 'Esc',
  delete: 'Del',
  space: 'Space',
  // run-state
  notDeployed: 'Not deployed',
  starting: 'Starting',
  running: 'Running',
  paused: 'Paused',
  draining: 'Draining',
  redriving: 'Redriving',
  noKey: 'no key',
  stopped: 'Stopped',
  failed: 'Failed',
  // sections
  notForYou: 'Nothing here for you',
  notForYouAbout:
    'There is no such part, or your role does not include it. An owner of the workspace can change roles.',
  // toasts
  messages: 'Messages',
  closeTheMessage: 'Close the message',
} as const;
