/** Which of the frame's own overlays is open. */
import { createStore } from 'zustand/vanilla';

export type Overlay = 'none' | 'commands' | 'shortcuts';

export const overlayStore = createStore<{ readonly overlay: Overlay }>(() => ({ overlay: 'none' }));

export const openOverlay = (overlay: Overlay): void => overlayStore.setState({ overlay });
