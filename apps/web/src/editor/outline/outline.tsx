import { useRef, useState } from 'react';
import { outlineWords as words } from '../../text/strings/outline.ts';
import type { CanvasSlot } from '../canvas/canvas-view.ts';
import { marksOf } from '../canvas/flow-elements.ts';
import { openMenuOf } from '../canvas/use-menu.ts';
import { type Editor, useEditor, useEditorState, useProblems, useReading } from '../editor-context.tsx';
import { select } from '../editor-store.ts';
import styles from './outline.module.css';
import { RowContent } from './outline-row.tsx';
import { type OutlineRow, outlineRows } from './outline-rows.ts';
import { useOutlineKeys } from './use-outline-keys.ts';

/** The same graph as a tree, for who reads or does not see the canvas; every action works here too. */
export function Outline({ slot }: { readonly slot: CanvasSlot }) {
  const editor = useEditor();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(0);
  const tree = useRef<HTMLDivElement>(null);
  const rows = outlineRows(useReading(), folded);
  const marks = marksOf(useProblems());
  const isSelected = useIsSelected();
  const current = Math.min(at, rows.length - 1);
  const fold = (id: string, isFolded: boolean): void => {
    const next = new Set(folded);
    if (isFolded) next.add(id);
    else next.delete(id);
    setFolded(next);
  };
  const take = (row: OutlineRow, i: number): void => {
    setAt(i);
    slot.current?.reveal(selectRow(editor, row));
  };
  const openMenu = (row: OutlineRow, i: number, place?: readonly [number, number]): void => {
    take(row, i);
    const box = tree.current?.children[i]?.getBoundingClientRect();
    if (box !== undefined) openMenuOf(editor, row.id, place ?? [box.x + 24, box.bottom]);
  };
  const onKeyDown = useOutlineKeys({ rows, current, take, fold, folded, tree, openMenu });
  if (rows.length === 0) return <p className={styles.nothing}>{words.nothing}</p>;
  return (
    <div ref={tree} role="tree" aria-label={words.outline} className={styles.tree} onKeyDown={onKeyDown}>
      {rows.map((row, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree above has the keyboard
        <div
          key={row.id}
          role="treeitem"
          tabIndex={i === current ? 0 : -1}
          aria-level={row.level}
          aria-expanded={row.isOpenable ? !folded.has(row.id) : undefined}
          aria-selected={isSelected(row)}
          className={styles.row}
          data-kind={row.kind}
          style={{ paddingLeft: indent(row) }}
          onClick={() => take(row, i)}
          onDoubleClick={() =>
            row.kind !== 'stream' && editor.canEdit && editor.store.setState({ renaming: row.id })
          }
          onContextMenu={(event) => {
            event.preventDefault();
            event.currentTarget.focus();
            // The menu key reports no place of the pointer; its own key handler has opened the menu.
            if (event.button === 2) openMenu(row, i, [event.clientX, event.clientY]);
          }}
        >
          <RowContent
            row={row}
            isFolded={folded.has(row.id)}
            onFold={fold}
            errors={(row.kind === 'stream' ? marks.streams : marks.nodes).get(row.id)?.errors ?? 0}
          />
        </div>
      ))}
    </div>
  );
}

/** Streams have nothing to unfold: they begin below the icon of their node. */
const indent = ({ kind, level }: OutlineRow): number =>
  kind === 'stream' ? 30 + 16 * (level - 2) : 2 + 16 * (level - 1);

function useIsSelected(): (row: OutlineRow) => boolean {
  const nodes = useEditorState((state) => state.nodes);
  const streams = useEditorState((state) => state.streams);
  const active = useEditorState((state) => state.active);
  return ({ kind, id }) =>
    kind === 'group' ? active === id && nodes.size > 0 : (kind === 'node' ? nodes : streams).has(id);
}

/** What is to be seen of it on the canvas. */
function selectRow({ store, actions }: Editor, row: OutlineRow): readonly string[] {
  if (row.kind === 'group') {
    actions.selectGroup(row.id);
    return [...store.getState().nodes];
  }
  select(store, row.kind === 'node' ? { nodes: [row.id] } : { streams: [row.id] });
  return [row.id];
}
