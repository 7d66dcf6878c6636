/** What people read in `editor/code/`. */
export const codeWords = {
  anyOutput: (port: string) =>
    `The output '${port}' contains any: its consumers are checked against nothing. Give it a type.`,
  notYours: 'This name belongs to the SDK or to the language; it cannot be changed in one pipeline.',
  notWritten:
    'This name is also used where a parameter or the pipeline itself stands for the text; change it there first.',
  // code-pane
  noCode: 'No code is open',
  noCodeAbout: 'Open a code node with Enter or a double click.',
  codeIsGone: 'This code is gone',
  codeIsGoneAbout: 'It was deleted. Undo brings it back.',
  codeOf: (name: string) => `Code of ${name}`,
  close: 'Close the code',
  loading: 'Loading the code editor…',
  notLoaded: 'The code editor could not be loaded',
  notLoadedAbout: 'Open the code again.',
  usedBy: (names: readonly string[]) =>
    names.length === 0 ? 'used by nobody' : `used by ${names.join(', ')}`,
  // renamed outputs
  followOutput: (count: number, to: string) =>
    `${count === 1 ? 'Lead its stream' : `Lead its ${count} streams`} to '${to}'`,
  followOutputAbout: (from: string, to: string) =>
    `The code has an output '${to}' and none called '${from}' any more. What is drawn from '${from}' goes along.`,
  // snippets
  snippets: 'Insert',
  wholeComputations: 'Computations',
  pieces: 'Pieces',
  computation: {
    'count-per-key': 'Count per key',
    session: 'Sessions with a timeout',
    deduplicate: 'Deduplicate',
    join: 'Join two inputs',
    silence: 'Alert on silence',
  },
  piece: {
    produce: 'Produce a record',
    state: 'Read and write state',
    map: 'An entry of a map',
    timer: 'Timer on the watermark',
    wallTimer: 'Timer on the wall clock',
    count: 'Count something',
    log: 'Log something',
    fail: 'Set the record aside',
    dropLate: 'Drop what is late',
  },
  tooLong:
    'This would make the code longer than 1 MB, the most a draft takes for one file, and was left out. Records and tables belong into a source.',
  // shared code
  sharedCode: 'Shared code',
  sharedCodeAbout: 'What several nodes need stands in lib/ and is imported as #lib/…',
  newFile: 'New shared file',
  fileName: 'Name of the file',
  openFile: (path: string) => `Open ${path}`,
  renameFile: (path: string) => `Rename ${path}`,
  deleteFile: (path: string) => `Delete ${path}`,
  deleted: (path: string) => `${path} is deleted. Undo brings it back.`,
  // logs at their lines
  logged: (count: string, text: string) => `${count} × ${text}`,
  logOfLine: 'Show what this line logged',
  // failures at their lines
  failed: (count: string, error: string) => `${count} × ${error}`,
  failedAbout: (count: string, error: string) =>
    `${count} dead letters came from this line, in the code as it stands here. The error: ${error}`,
} as const;
