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
  | 'ungroup'
  | 'fold'
  | 'menu'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'fit'
  | 'fit-selection'
  | 'zoom-in'
  | 'zoom-out'
  | 'escape';

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
  'mod+shift+g': 'ungroup',
  g: 'fold',
  'shift+f10': 'menu',
  contextmenu: 'menu',
  // The browser's own events do these.
  'mod+x': 'cut',
  'mod+c': 'copy',
  'mod+v': 'paste',
  1: 'fit',
  2: 'fit-selection',
  '+': 'zoom-in',
  '=': 'zoom-in',
  '-': 'zoom-out',
  escape: 'escape',
};
