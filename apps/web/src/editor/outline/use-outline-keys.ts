/** The Outline's keys: those of a tree, and those of the canvas for what one is at. */
import type { KeyboardEvent, RefObject } from 'react';
import { useEditor } from '../editor-context.tsx';
import type { OutlineRow } from './outline-rows.ts';

export interface OutlineKeys {
  readonly rows: readonly OutlineRow[];
  readonly current: number;
  readonly take: (row: OutlineRow, i: number) => void;
  readonly fold: (id: string, isFolded: boolean) => void;
  readonly folded: ReadonlySet<string>;
  readonly tree: RefObject<HTMLDivElement | null>;
  readonly openMenu: (row: OutlineRow, i: number) => void;
}

export function useOutlineKeys(keys: OutlineKeys): (event: KeyboardEvent) => void {
  const { rows, current, take, fold, folded, tree, openMenu } = keys;
  const { actions, store, canEdit } = useEditor();
  const go = (i: number): void => {
    const to = Math.max(0, Math.min(i, rows.length - 1));
    const row = rows[to];
    if (row === undefined) return;
    take(row, to);
    (tree.current?.children[to] as HTMLElement | undefined)?.focus();
  };
  const perform = (key: string, row: OutlineRow): boolean => {
    const isOpen = row.isOpenable && !folded.has(row.id);
    const parent = rows.findLastIndex(({ level }, i) => i < current && level < row.level);
    switch (key) {
      case 'ArrowDown':
        return did(() => go(current + 1));
      case 'ArrowUp':
        return did(() => go(current - 1));
      case 'Home':
        return did(() => go(0));
      case 'End':
        return did(() => go(rows.length - 1));
      case 'ArrowRight':
        return did(() => (row.isOpenable && !isOpen ? fold(row.id, false) : go(current + 1)));
      case 'ArrowLeft':
        return did(() => (isOpen ? fold(row.id, true) : parent >= 0 && go(parent)));
      case 'Enter':
      case ' ':
        return did(() => take(row, current));
      case 'ContextMenu':
      case 'shift+F10':
        return did(() => openMenu(row, current));
      case 'F2':
        if (row.kind === 'stream' || !canEdit) return false;
        take(row, current);
        return did(() => store.setState({ renaming: row.id }));
      case 'c':
        return row.kind === 'node' && canEdit && did(() => store.setState({ connectFrom: row.id }));
      case 'Delete':
        take(row, current);
        return canEdit && did(() => actions.deleteSelected());
      default:
        return false;
    }
  };
  return (event) => {
    const row = rows[current];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!perform(event.key === 'F10' && event.shiftKey ? 'shift+F10' : event.key, row)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function did(act: () => void): true {
  act();
  return true;
}
