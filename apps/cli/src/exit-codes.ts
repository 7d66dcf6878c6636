/** What the command line promises to scripts. Dead letters do not change it: they are data, not a failure. */
export const exitCodes = { done: 0, issues: 1, usage: 2, failed: 3 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
