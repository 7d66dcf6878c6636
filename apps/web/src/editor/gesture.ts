/** Several commands as one step to undo, where each is run by itself: parts of a form, letters of a word. */

let count = 0;
/** One name for all commands of one gesture. */
export const newGesture = (): string => `${Date.now().toString(36)}-${count++}`;

let current: string | undefined;

/** The step that is being made, else a new one. */
export const gestureNow = (): string => current ?? newGesture();

/** A step that is being made already takes what `work` does with it. */
export function asOneStep(work: (gesture: string) => void, named?: string): void {
  const before = current;
  current ??= named ?? newGesture();
  try {
    work(current);
  } finally {
    current = before;
  }
}
