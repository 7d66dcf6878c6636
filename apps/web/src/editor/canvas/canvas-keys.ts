/** Which key does what while the canvas has the focus. `mod` is ⌘ on a Mac, Ctrl elsewhere. */

export type CanvasAction =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'nudge-up'
  | 'nudge-down'
  | 'nudge-left'
  | 'nudge-right'
  | 'toggle'
  | 'open'
  | 'add'
  | 'connect'
  | 'rename'
  | 'delete'
  | 'delete-only'
  | 'select-all'
  | 'duplicate'
  | 'undo'
  | 'redo'
  | 'layout'
  | 'note'
  | 'group'
  | 'fit'
  | 'fit-selection'
  | 'zoom-in'
  | 'zoom-out'
  | 'escape';

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

export const CANVAS_KEYS: Readonly<Record<string, CanvasAction>> = {
  arrowup: 'up',
  arrowdown: 'down',
  arrowleft: 'left',
  arrowright: 'right',
  'alt+arrowup': 'nudge-up',
  'alt+arrowdown': 'nudge-down',
  'alt+arrowleft': 'nudge-left',
  'alt+arrowright': 'nudge-right',
  ' ': 'toggle',
  enter: 'open',
  '/': 'add',
  c: 'connect',
  f2: 'rename',
  delete: 'delete',
  backspace: 'delete',
  'shift+delete': 'delete-only',
  'mod+a': 'select-all',
  'mod+d': 'duplicate',
  'mod+z': 'undo',
  'mod+shift+z': 'redo',
  'mod+y': 'redo',
  'shift+l': 'layout',
  n: 'note',
  'mod+g': 'group',
  1: 'fit',
  2: 'fit-selection',
  '+': 'zoom-in',
  '=': 'zoom-in',
  '-': 'zoom-out',
  escape: 'escape',
};

export function canvasAction(press: KeyPress): CanvasAction | undefined {
  const key = press.key.toLowerCase();
  const isSign = key.length === 1 && key.toUpperCase() === key;
  const parts = [
    press.ctrlKey || press.metaKey ? 'mod+' : '',
    // `/` and `+` need Shift on some keyboards: a sign is what it is.
    press.shiftKey && !isSign ? 'shift+' : '',
    press.altKey ? 'alt+' : '',
  ];
  return CANVAS_KEYS[parts.join('') + key];
}
