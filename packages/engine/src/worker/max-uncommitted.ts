/** Bundles a worker sends before it waits for the first of them to be committed (DP3). */
export const MAX_UNCOMMITTED = 2;
