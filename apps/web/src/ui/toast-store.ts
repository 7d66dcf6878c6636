/** Short messages about what just happened. Errors stay until they are closed. */
import { createStore } from 'zustand/vanilla';

const SHOWN_MS = 5_000;
const MOST = 4;

export interface Toast {
  readonly id: number;
  readonly tone: 'ok' | 'error' | 'info';
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

export const toastStore = createStore<{ readonly toasts: readonly Toast[] }>(() => ({ toasts: [] }));
let last = 0;

export function toast(tone: Toast['tone'], text: string, action?: Toast['action']): void {
  last += 1;
  const id = last;
  toastStore.setState(({ toasts }) => ({ toasts: [...toasts, { id, tone, text, action }].slice(-MOST) }));
  if (tone !== 'error') setTimeout(() => closeToast(id), SHOWN_MS);
}

export function closeToast(id: number): void {
  toastStore.setState(({ toasts }) => ({ toasts: toasts.filter((each) => each.id !== id) }));
}
