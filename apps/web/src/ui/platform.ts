/** Whether the command key is what Ctrl is elsewhere. */
export const isApple = /Mac|iP(hone|ad|od)/.test(globalThis.navigator?.platform ?? '');
