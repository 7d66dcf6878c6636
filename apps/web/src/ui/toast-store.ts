/** Short messages about what just happened, or goes on. Errors stay until they are closed. */
import { createStore } from 'zustand/vanilla';

const SHOWN_MS = 5_000;
const MOST = 4;

export interface Toast {
  readonly id: number;
  readonly tone: 'ok' | 'error' | 'info' | 'busy';
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

export const toastStore = createStore<{ readonly toasts: readonly Toast[] }>(() => ({ toasts: [] }));
let last = 0;

export function toast(tone: Toast['tone'], text: string, action?: Toast['action']): void {
  const id = show(tone, text, action);
  if (tone !== 'error') setTimeout(() => closeToast(id), SHOWN_MS);
}

/** What takes less is over before one could read of it. */
const TOLD_AFTER_MS = 300;
const CANCEL_AFTER_MS = 2_000;

/** Says that something goes on if it takes a while, and offers to leave it if it takes long. */
export async function toastWhile<T>(
  text: string,
  cancelWord: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const aborting = new AbortController();
  const ids: number[] = [];
  const telling = setTimeout(() => ids.push(show('busy', text)), TOLD_AFTER_MS);
  const offering = setTimeout(() => {
    for (const id of ids.splice(0)) closeToast(id);
    ids.push(show('busy', text, { label: cancelWord, run: () => aborting.abort() }));
  }, CANCEL_AFTER_MS);
  try {
    return await work(aborting.signal);
  } finally {
    clearTimeout(telling);
    clearTimeout(offering);
    for (const id of ids) closeToast(id);
  }
}

export function closeToast(id: number): void {
  toastStore.setState(({ toasts }) => ({ toasts: toasts.filter((each) => each.id !== id) }));
}

function show(tone: Toast['tone'], text: string, action?: Toast['action']): number {
  last += 1;
  const id = last;
  toastStore.setState(({ toasts }) => ({ toasts: [...toasts, { id, tone, text, action }].slice(-MOST) }));
  return id;
}
