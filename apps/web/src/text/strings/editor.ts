/** What people read in `editor/`. */
export const editorWords = {
  // left-over-edits
  editsLeftOver: 'Edits of yours are not in this draft',
  editsLeftOverAbout:
    'They waited in this browser, and the server could not take them: the draft was made anew meanwhile, or they were too large. Open them as a pipeline of their own to compare, keep them as a file, or discard them.',
  discardThem: 'Discard',
  downloadThem: 'Download',
  openAsPipeline: 'Open as a new pipeline',
  leftOverName: (name: string) => `${name} (edits left over)`,
} as const;
