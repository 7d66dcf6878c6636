/** What people read in the Outline. */
export const outlineWords = {
  outline: 'Outline',
  nothing: 'No nodes yet. Press / on the canvas to add one.',
  errors: (count: number) => (count === 1 ? '1 error' : `${count} errors`),
  by: (key: string) => `keyed by ${key}`,
} as const;
