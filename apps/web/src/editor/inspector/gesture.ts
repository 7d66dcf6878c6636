/** Several commands as one step to undo, where the parts of a form each run their own. */
import { newGesture } from '../editor-actions.ts';

let current: string | undefined;

/** The step that is being made, else a new one. */
export const gestureNow = (): string => current ?? newGesture();

export function asOneStep(work: (gesture: string) => void): void {
  const before = current;
  current ??= newGesture();
  try {
    work(current);
  } finally {
    current = before;
  }
}
