/** What people read on the canvas. */
export const canvasWords = {
  // peers
  inItsCode: 'in its code',
  editsItsCode: (name: string) => `${name} edits the code of this node`,
  hasItSelected: (name: string) => `${name} has this selected`,
} as const;
