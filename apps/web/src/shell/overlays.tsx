import { lazy, Suspense, useEffect } from 'react';
import { useStore } from 'zustand';
import { followTimeZone } from '../text/time-zone.ts';
import { listenForKeys } from './commands.ts';
import { copyTimesAsIso } from './copy-times.ts';
import { openOverlay, overlayStore } from './overlay-store.ts';
import { useFrameCommands } from './use-frame-commands.ts';

const loadPalette = () => import('./command-palette.tsx');
const CommandPalette = lazy(async () => ({ default: (await loadPalette()).CommandPalette }));
const ShortcutsSheet = lazy(async () => ({
  default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet,
}));

/** The view itself comes first. */
const AT_REST_MS = 1_500;

/** The command palette and the sheet of shortcuts, and the keys that open them. */
export function Overlays() {
  useFrameCommands();
  useEffect(listenForKeys, []);
  // Keys typed right after the one that opens it would be lost on its way.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette(), AT_REST_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(copyTimesAsIso, []);
  useEffect(followTimeZone, []);
  const overlay = useStore(overlayStore, (state) => state.overlay);
  const close = () => openOverlay('none');
  return (
    <Suspense>
      {overlay === 'commands' && <CommandPalette onClose={close} />}
      {overlay === 'shortcuts' && <ShortcutsSheet onClose={close} />}
    </Suspense>
  );
}
