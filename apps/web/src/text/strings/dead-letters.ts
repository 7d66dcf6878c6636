/** What people read in `editor/dead-letters/`. */
export const deadLetterWords = {
  title: 'Dead letters',
  groups: 'Causes',
  notForYou: 'Dead letters show records, and your role does not include seeing data',
  notForYouAbout:
    'The counts on the nodes are all there is for you. An owner of the workspace can change roles.',
  none: 'No dead letters',
  noneAbout:
    'A record that makes a node throw comes here with its input, its state and the line that threw, and everything else flows on. Mend the code, deploy, and redrive it from here.',
  openCode: (place: string) => `Open ${place}`,
  openCodeOf: (place: string, version: number) => `Open ${place} in v${version}`,
  changedSince: 'The code shown here is not the code that failed.',
  redriveAll: (count: number) => (count === 1 ? 'Redrive' : `Redrive all ${count.toLocaleString('en-US')}`),
  redriveOne: 'Redrive this one',
  redriveAbout: 'Delivers each exactly once to the node it died at, through the version that runs.',
  redriveAtRest: {
    stopped:
      'Delivers each exactly once, through the version that ran last. The pipeline is started for that alone: it reads nothing, and stops again.',
    ended:
      'Delivers each exactly once, through the version that has ended. The pipeline is started for that alone, and ends again.',
  },
  discard: 'Discard',
  discardOne: 'Discard this one',
  discardAll: (count: number) =>
    count === 1 ? 'Discard the dead letter?' : `Discard ${count.toLocaleString('en-US')} dead letters?`,
  discardAbout:
    'Their inputs are forgotten for good and can never be redriven. The counts on the canvas stay as they are.',
  mayNotWrite: 'Your role does not include changing data.',
  notNow: {
    starting: 'The pipeline is being started: redrive when it runs.',
    draining: 'The pipeline is being stopped: start it to redrive.',
    failed: 'The pipeline has failed: see why and start it again to redrive.',
    undeployed: 'The pipeline is not deployed: deploy it to redrive.',
  },
  notKept: 'Too little was kept of it to deliver it again.',
  redriving: (done: number) => `Redriving… ${done.toLocaleString('en-US')} so far`,
  stop: 'Stop',
  redriven: (count: number) => `${count.toLocaleString('en-US')} delivered again`,
  refused: (count: number, reason: string | undefined) =>
    `${count.toLocaleString('en-US')} not redriven${reason === undefined ? '' : `: ${reason}`}`,
  discarded: (count: number) => `${count.toLocaleString('en-US')} discarded`,
  letter: (number: number) => `Letter ${number}`,
  newer: 'Newer',
  older: 'Older',
  gone: 'This one is gone: it was redriven or discarded.',
  key: 'Key',
  time: 'Event time',
  recorded: 'Died',
  version: 'Version',
  attempts: 'Tries',
  triesAndRedriven: (attempts: number, redriven: number) =>
    redriven === 0 ? String(attempts) : `${attempts} · redriven ${redriven} times before`,
  origin: 'Came from',
  input: 'Input',
  state: 'State of its key, before',
  stack: 'Stack',
  copyInput: 'Copy the input',
  copied: 'Copied',
} as const;
