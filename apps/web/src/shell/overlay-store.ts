/** Which of the frame's own overlays is open, and what is typed on its way there. */
import { createStore } from 'zustand/vanilla';

export type Overlay = 'none' | 'commands' | 'shortcuts';

export const overlayStore = createStore<{ readonly overlay: Overlay }>(() => ({ overlay: 'none' }));

let typed = '';
let release = (): void => undefined;
/** One that does not come by then leaves the keys to the page. */
const PATIENCE_MS = 5_000;
/** Before whatever listens below. */
const FIRST = { capture: true };

/** Keys pressed until it is there are for it: on a canvas each would do something. */
export function openOverlay(overlay: Overlay): void {
  release();
  typed = '';
  if (overlay !== 'none') release = holdKeys();
  overlayStore.setState({ overlay });
}

/** The overlay is there: what was typed meanwhile. */
export function arrived(): string {
  release();
  const text = typed;
  typed = '';
  return text;
}

function holdKeys(): () => void {
  const hold = (event: KeyboardEvent): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    const { key } = event;
    if (key === 'Escape') openOverlay('none');
    else if (key === 'Backspace') typed = typed.slice(0, -1);
    else if (key.length === 1 && !event.ctrlKey && !event.metaKey) typed += key;
  };
  addEventListener('keydown', hold, FIRST);
  const timer = setTimeout(() => release(), PATIENCE_MS);
  return () => {
    clearTimeout(timer);
    removeEventListener('keydown', hold, FIRST);
    release = () => undefined;
  };
}
