/**
 * A text while it is typed, on its way into the draft. Framework-free.
 *
 * Invariants
 *   TT1  `as-typed`: what is typed is written at most `SOON_MS` after its key, however fast the next keys come, so
 *        that others see it while it is typed.
 *   TT2  `at-end`: for names, where each letter would rename; written by Enter and when the field is left.
 *   TT3  what is written without a pause of `PAUSE_MS` is one step to undo.
 */
import { asOneStep, newGesture } from '../../gesture.ts';

export const SOON_MS = 80;
export const PAUSE_MS = 1_000;

export type WriteWhen = 'as-typed' | 'at-end';

export interface TypedText {
  readonly typed: (text: string) => void;
  /** Writes what is not written yet. */
  readonly settle: () => void;
  readonly isWaiting: () => boolean;
}

export interface TypedTextOptions {
  readonly when: WriteWhen;
  readonly write: (text: string) => void;
}

export function typedText({ when, write }: TypedTextOptions): TypedText {
  let waiting: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let gesture = newGesture();
  let writtenAt = Number.NEGATIVE_INFINITY;

  const settle = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = waiting;
    if (text === undefined) return;
    waiting = undefined;
    const now = Date.now();
    if (now - writtenAt > PAUSE_MS) gesture = newGesture();
    writtenAt = now;
    asOneStep(() => write(text), gesture);
  };
  return {
    settle,
    isWaiting: () => waiting !== undefined,
    typed: (text) => {
      waiting = text;
      if (when === 'as-typed') timer ??= setTimeout(settle, SOON_MS);
    },
  };
}
