/**
 * Copy, cut and paste by the browser's own events while the canvas has the focus: they work on plain http too,
 * where the clipboard cannot be asked.
 */
import { useEffect } from 'react';
import { useEditor } from '../editor-context.tsx';
import type { CanvasView } from './canvas-view.ts';
import { NODE_WIDTH } from './geometry.ts';

export function useCanvasClipboard(view: CanvasView): void {
  const { actions, canEdit } = useEditor();
  useEffect(() => {
    const isOurs = (event: Event): boolean =>
      event.target instanceof Element &&
      (event.target.closest('[data-canvas]') !== null || event.target === document.body) &&
      event.target.closest('input, textarea') === null;
    const copy = (event: ClipboardEvent): void => {
      if (!isOurs(event)) return;
      const text = actions.copyText();
      if (text === undefined) return;
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
      if (event.type === 'cut' && canEdit) actions.deleteSelected();
    };
    const paste = (event: ClipboardEvent): void => {
      if (!isOurs(event) || !canEdit) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      const [x, y] = view.middle();
      if (actions.pasteText(text, [x - NODE_WIDTH / 2, y - 32])) event.preventDefault();
    };
    // Says that there is something to copy though no text is selected: else a menu's Copy would do nothing.
    const allow = (event: Event): void => {
      if (isOurs(event)) event.preventDefault();
    };
    document.addEventListener('beforecopy', allow);
    document.addEventListener('beforecut', allow);
    document.addEventListener('copy', copy);
    document.addEventListener('cut', copy);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('beforecopy', allow);
      document.removeEventListener('beforecut', allow);
      document.removeEventListener('copy', copy);
      document.removeEventListener('cut', copy);
      document.removeEventListener('paste', paste);
    };
  }, [actions, canEdit, view]);
}
