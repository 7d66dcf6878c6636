/** Words of the code editor. */
export const codeWords = {
  anyOutput: (port: string) =>
    `The output '${port}' contains any: its consumers are checked against nothing. Give it a type.`,
} as const;
