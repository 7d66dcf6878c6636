/** What people read in `editor/problems/`. */
export const problemWords = {
  problems: 'Problems',
  checkingCode: 'Checking the code…',
  sound: 'No problems: graph and code are sound.',
  notChecked: 'The code could not be checked: the code editor was not loaded. Reload the page.',
  severity: { error: 'error', warning: 'warning' },
  errors: (count: number) => counted(count, 'error'),
  warnings: (count: number) => counted(count, 'warning'),
  bare: 'Nothing to check yet',
  none: 'No problems',
  checking: 'Checking…',
  unchecked: 'Code not checked',
  // issue-words
  keyOfStream: 'Key of a stream: ',
  mustBeFilledIn: 'must be filled in',
  mustBeOneOf: 'must be one of ',
} as const;

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
