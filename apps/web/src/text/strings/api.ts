/** What people read in `api/`. */
export const apiWords = {
  // api-error
  unexpected: (error: string) => `Something unexpected happened: ${error}`,
  answeredWithoutWhy: (status: number) => `The server answered ${status} without saying why.`,
  // call
  unreachable: 'The server cannot be reached. Check that it runs and that this machine has its network.',
} as const;
