/** What people read in `sign-in/`. */
export const signInWords = {
  // account-form
  atLeastGoodWords: (least: number) => `At least ${least} characters; a few words are good.`,
  writeAnEMailAddress: 'Write an e-mail address.',
  writeAPassword: 'Write a password.',
  moreCharacters: (count: number) => `${count} more characters, please.`,
  // invite-page
  anInvitation: 'An invitation',
  copyAll: 'Copy all of it, or ask for a new one.',
  youAreInvited: 'You are invited',
  thisInvitationDoesNotWork: 'This invitation does not work',
  joinOne: (workspace: string) => `Join ${workspace}`,
  invitedAs: (role: string) => `You are invited as ${role}. The link is good once.`,
  join: 'Join',
  // link-missing
  aPartOfTheLink: 'A part of the link is missing',
  secretIsMissing: (what: string, how: string) =>
    `${what} ends in a long secret behind a #; this one came without it. ${how}`,
  askForAnother: 'Who invited you can make another link. You have an account already?',
  signInInstead: 'Sign in instead',
  // password-input
  hideThePassword: 'Hide the password',
  showThePassword: 'Show the password',
  // password-page
  theLinkForANew: 'The link for a new password',
  setANewPassword: 'Set a new password',
  thisEndsAllSessions: 'This ends all sessions of the account. The link is good once.',
  setThePassword: 'Set the password',
  // setup-page
  theLinkThatMakes: 'The link that makes the owner account',
  theServerPrintsItWhen: 'The server prints it when it starts without an owner.',
  makeTheOwnerAccount: 'Make the owner account',
  theOwnerInvitesTheOthers: 'The owner invites the others. This link is good once.',
  makeTheAccount: 'Make the account',
  // sign-in-page
  youStaySigned: 'You stay signed in on this machine for up to 30 days.',
  yourNewPasswordIsSet: 'Your new password is set. Sign in with it.',
  forgotYourPasswordAnOwner:
    'Forgot your password? An owner of the workspace makes a link for a new one. Who runs the server can, too:',
} as const;
