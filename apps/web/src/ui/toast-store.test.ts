import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toastStore, toastWhile } from './toast-store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const shown = () => toastStore.getState().toasts.map(({ text, action }) => [text, action?.label]);
const after = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('what is quick is not told, what takes a while is, what takes long can be left', async () => {
  const work = toastWhile(
    'Exporting…',
    'Cancel',
    (signal) =>
      new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason as Error))),
  );
  const ended = expect(work).rejects.toThrow();
  await after(200);
  expect(shown()).toEqual([]);
  await after(200);
  expect(shown()).toEqual([['Exporting…', undefined]]);
  await after(2_000);
  expect(shown()).toEqual([['Exporting…', 'Cancel']]);
  toastStore.getState().toasts[0]?.action?.run();
  await ended;
  expect(shown()).toEqual([]);
});
