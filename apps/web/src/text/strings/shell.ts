/** What people read in `shell/`. */
export const shellWords = {
  // account-menu
  asTheSystem: 'As the system',
  light: 'Light',
  dark: 'Dark',
  accountOf: (name: string) => `Account of ${name}`,
  theme: 'Theme',
  times: 'Times',
  timesOfThisZone: 'In my zone',
  timesInUtc: 'In UTC',
  showTimesOfThisZone: 'Show times in my zone',
  showTimesInUtc: 'Show times in UTC',
  shortcuts: 'Shortcuts',
  signOut: 'Sign out',
  // banners
  reload: 'Reload',
  later: 'Later',
  thereIsANewerPage: 'Millrace was updated. Your edits are kept; reload to have the new version.',
  theServerWasUpdatedYour:
    'The server was updated. Your edits are kept; reload to go on with the new version.',
  reconnectingTheServerDoes:
    'Reconnecting. The server does not answer; what you edit is kept here and sent when it does.',
  // broken-page
  thisViewBroke: 'This view broke',
  savedIsSafe: (reason: string) => `${reason} What you had saved is safe; reload to go on.`,
  // frame
  theServerDoesNotAnswer: 'The server does not answer',
  // not-found-page
  thereIsNothing: 'There is nothing at this address',
  goToThePipelines: 'Go to the pipelines',
  itMayHaveBeenDeleted: 'It may have been deleted, or the link lost a part on its way.',
  // sign-in-again
  signInAgain: 'Sign in again',
  yourSessionHasEnded:
    'Your session has ended. What you see and typed stays; nothing is saved until you sign in.',
  // top-bar
  millracePipelines: 'Millrace: pipelines',
  findACommand: 'Find a command',
  // use-frame-commands
  goTo: 'Go to',
  help: 'Help',
  newPipeline: 'New pipeline',
  deletedPipelines: 'Deleted pipelines',
  showTheShortcuts: 'Show the shortcuts',
  account: 'Account',
  // own-keys
  changeKeysOf: (title: string) => `Change the key of “${title}”`,
  pressKey: 'Press a key',
  pressKeyAbout: 'Escape leaves it as it is, Backspace brings the usual key back.',
  keyIsTaken: (by: string) => `Taken: ${by}`,
} as const;
