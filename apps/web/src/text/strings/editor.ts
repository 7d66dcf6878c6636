/** What people read in `editor/`. */
export const editorWords = {
  // left-over-edits
  editsLeftOver: 'Edits of yours are not in this draft',
  editsLeftOverAbout:
    'They waited in this browser while the draft was made anew on the server, and cannot be joined with it. Open them as a pipeline of their own to compare, keep them as a file, or discard them.',
  discardThem: 'Discard',
  downloadThem: 'Download',
  openAsPipeline: 'Open as a new pipeline',
  leftOverName: (name: string) => `${name} (edits left over)`,
} as const;
