import type { editor, IDisposable } from 'monaco-editor/editor';
import { matchesKeys } from '../../shell/match-keys.ts';
import { openOverlay } from '../../shell/overlay-store.ts';

/** mod+K finds a command here as everywhere: to Monaco it would be the first half of its own shortcuts. */
export const openPaletteByKey = (instance: editor.IStandaloneCodeEditor): IDisposable =>
  instance.onKeyDown((event) => {
    if (!matchesKeys(event.browserEvent, 'mod+k')) return;
    event.preventDefault();
    event.stopPropagation();
    openOverlay('commands');
  });
