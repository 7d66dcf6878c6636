/** Monaco and its workers are most of the page's weight: fetched once, when code is first opened. */
let loading: Promise<typeof import('./monaco.ts')> | undefined;

export function loadMonaco(): Promise<typeof import('./monaco.ts')> {
  loading ??= import('./monaco.ts').catch((error: unknown) => {
    // The next attempt may find the network again.
    loading = undefined;
    throw error;
  });
  return loading;
}
