/** What people read in `document/`. */
export const documentWords = {
  // shared-draft
  fromTheServer: 'from the server',
  theServerDoesNotAnswer: 'The server does not answer. Your edits are kept here and sent when it does.',
  editNotTaken: (detail: string) => `The server did not take an edit: ${detail}`,
  thisDraftWasMadeAnew: 'This draft was made anew on the server. Reload the page.',
  youMayLook: 'You may look at this pipeline, not edit it.',
  youMayNotEdit: 'You may not edit.',
} as const;
