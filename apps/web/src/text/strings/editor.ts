/** What people read in `editor/`. */
export const editorWords = {
  // editor-page
  noSuchPipeline: 'There is no such pipeline',
  notOpened: 'The pipeline could not be opened',
  // editor-frame, pane
  leftPane: 'Left pane',
  drawer: 'Drawer',
  inspector: 'Inspector',
  paneOf: { palette: 'palette', inspector: 'inspector' },
  widthOf: (pane: string) => `Width of ${pane}`,
  duplicateToEdit: 'Duplicate to edit',
  // people
  alsoHere: 'Also here',
  isHereToo: (name: string) => `${name} is here, too`,
  // save-words
  save: { saved: 'Saved', saving: 'Saving…', unsaved: 'Not saved', 'read-only': 'Read only' },
  // editor-actions
  nothingToPaste: 'There is nothing to paste. Copy nodes first.',
  nothingToStep: (way: 'undo' | 'redo') => `There is nothing to ${way}.`,
  partStayed: 'A part of that step stayed as it is: somebody has changed it since.',
  // node-words
  nodes: {
    typeScript: 'TypeScript',
    byKey: 'one of a key',
    within: (span: string) => `within ${span}`,
    apart: (lower: string, upper: string) => `${lower} to ${upper} apart`,
    joinsStreams: 'joins its streams',
    inner: 'inner',
    once: 'read once',
    latestOfKey: 'latest of a key',
    without: (condition: string) => `without ${condition}`,
    untilSilent: (span: string) => `until silent for ${span}`,
    asFastAsTaken: 'as fast as taken',
    perSecond: (rate: string) => `${rate}/s`,
    inAll: (count: string) => `${count} in all`,
    every: (time: string) => `every ${time}`,
    takesPosted: 'takes posted records',
    slack: (time: string) => `slack ${time}`,
    keepsNone: 'counts only',
    allTime: 'all time',
    session: (gap: string) => `session ${gap}`,
  },
  // draft-ended
  cannotGoOn: 'This page cannot go on editing',
  downloadMyEdits: 'Download my edits',
  reload: 'Reload',
  allStored: 'Everything you did is stored.',
  notAllStored:
    'Some of your last edits are not stored. Download them first: the file holds the draft as you see it.',
  // left-over-edits
  editsLeftOver: 'Edits of yours are not in this draft',
  editsLeftOverAbout:
    'They waited in this browser, and the server could not take them: the draft was made anew meanwhile, or they were too large. Open them as a pipeline of their own to compare, keep them as a file, or discard them.',
  discardThem: 'Discard',
  downloadThem: 'Download',
  openAsPipeline: 'Open as a new pipeline',
  leftOverName: (name: string) => `${name} (edits left over)`,
} as const;
