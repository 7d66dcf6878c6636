/** What people read in `editor/logs/`. */
export const logWords = {
  title: 'Logs',
  notForYou: 'Logs may hold data, and your role does not include seeing it',
  notForYouAbout: 'An owner of the workspace can change roles.',
  none: 'Nothing was logged',
  noneAbout: 'What the code writes with ctx.log or console stands here, with its node and its line.',
  noneMatch: 'No line fits what you look for.',
  noneOfSelected: 'What is selected has logged nothing.',
  find: 'Find in the logs',
  level: 'Least level',
  levels: { debug: 'All', info: 'Info', warn: 'Warnings', error: 'Errors' },
  showLines: (lines: number, warnings: number, errors: number) =>
    [
      counted(lines, 'line', 'lines'),
      ...(warnings > 0 ? [counted(warnings, 'warning', 'warnings')] : []),
      ...(errors > 0 ? [counted(errors, 'error', 'errors')] : []),
    ].join(' · '),
  lineOnly: (place: string) => `${place} only`,
  selectedOnly: 'Selected node only',
  list: 'Log lines, the newest last',
  clear: 'Clear',
  openCode: (place: string) => `Open ${place}`,
  cut: (count: number) =>
    `${count.toLocaleString('en-US')} lines were not kept: the code logs faster than anybody reads.`,
  missed: (count: number) => `${count.toLocaleString('en-US')} lines were gone before this was opened.`,
  loading: 'code is loaded',
} as const;

function counted(count: number, one: string, more: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : more}`;
}
