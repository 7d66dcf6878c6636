import { ChevronDown, ChevronRight, CircleAlert, Spline } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import type { CanvasSlot } from '../canvas/canvas-view.ts';
import { marksOf } from '../canvas/flow-elements.ts';
import { useEditor, useEditorState, useProblems, useReading } from '../editor-context.tsx';
import { select } from '../editor-store.ts';
import { TypeIcon } from '../palette/type-icon.tsx';
import styles from './outline.module.css';
import { type OutlineRow, outlineRows } from './outline-rows.ts';

/** The same graph as a tree, for who reads or does not see the canvas; every action works here too. */
export function Outline({ slot }: { readonly slot: CanvasSlot }) {
  const { store } = useEditor();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(0);
  const tree = useRef<HTMLDivElement>(null);
  const rows = outlineRows(useReading(), folded);
  const marks = marksOf(useProblems());
  const nodes = useEditorState((state) => state.nodes);
  const streams = useEditorState((state) => state.streams);
  const current = Math.min(at, rows.length - 1);
  const fold = (id: string, isFolded: boolean): void => {
    const next = new Set(folded);
    if (isFolded) next.add(id);
    else next.delete(id);
    setFolded(next);
  };
  const take = (row: OutlineRow, i: number): void => {
    setAt(i);
    select(store, row.kind === 'node' ? { nodes: [row.id] } : { streams: [row.id] });
    slot.current?.reveal([row.id]);
  };
  const onKeyDown = useOutlineKeys({ rows, current, take, fold, folded, tree });
  if (rows.length === 0)
    return <p className={styles.nothing}>No nodes yet. Press / on the canvas to add one.</p>;
  return (
    <div ref={tree} role="tree" aria-label="Outline" className={styles.tree} onKeyDown={onKeyDown}>
      {rows.map((row, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree above has the keyboard
        <div
          key={row.id}
          role="treeitem"
          tabIndex={i === current ? 0 : -1}
          aria-level={row.kind === 'node' ? 1 : 2}
          aria-expanded={row.kind === 'node' && row.isOpenable ? !folded.has(row.id) : undefined}
          aria-selected={(row.kind === 'node' ? nodes : streams).has(row.id)}
          className={styles.row}
          data-level={row.kind}
          onClick={() => take(row, i)}
          onDoubleClick={() => row.kind === 'node' && store.setState({ renaming: row.id })}
        >
          {row.kind === 'node' ? (
            <NodeRow
              row={row}
              isFolded={folded.has(row.id)}
              onFold={fold}
              errors={marks.nodes.get(row.id)?.errors ?? 0}
            />
          ) : (
            <StreamRow row={row} errors={marks.streams.get(row.id)?.errors ?? 0} />
          )}
        </div>
      ))}
    </div>
  );
}

interface NodeRowProps {
  readonly row: Extract<OutlineRow, { kind: 'node' }>;
  readonly isFolded: boolean;
  readonly onFold: (id: string, isFolded: boolean) => void;
  readonly errors: number;
}

function NodeRow({ row, isFolded, onFold, errors }: NodeRowProps) {
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        aria-hidden
        className={styles.fold}
        data-hidden={!row.isOpenable}
        onClick={(event) => {
          event.stopPropagation();
          onFold(row.id, !isFolded);
        }}
      >
        <Icon of={isFolded ? ChevronRight : ChevronDown} size={14} />
      </button>
      <TypeIcon type={row.node.type} size={20} />
      <span className={styles.name}>{row.node.name}</span>
      <Errors count={errors} />
    </>
  );
}

function StreamRow({
  row,
  errors,
}: {
  readonly row: Extract<OutlineRow, { kind: 'stream' }>;
  readonly errors: number;
}) {
  const { from, to, keyBy } = row.stream;
  return (
    <>
      <Icon of={Spline} size={14} />
      <span className={styles.name}>
        {from[1]} → {row.to}
        {to[1] === 'in' ? '' : `.${to[1]}`}
      </span>
      {keyBy !== undefined && <code className={styles.key}>{keyBy}</code>}
      <Errors count={errors} />
    </>
  );
}

const Errors = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <span className={styles.errors}>
      <Icon of={CircleAlert} size={12} label={`${count} errors`} />
    </span>
  );

interface OutlineKeys {
  readonly rows: readonly OutlineRow[];
  readonly current: number;
  readonly take: (row: OutlineRow, i: number) => void;
  readonly fold: (id: string, isFolded: boolean) => void;
  readonly folded: ReadonlySet<string>;
  readonly tree: React.RefObject<HTMLDivElement | null>;
}

function useOutlineKeys({ rows, current, take, fold, folded, tree }: OutlineKeys) {
  const { actions, store, canEdit } = useEditor();
  const go = (i: number): void => {
    const row = rows[Math.max(0, Math.min(i, rows.length - 1))];
    if (row === undefined) return;
    take(row, rows.indexOf(row));
    (tree.current?.children[rows.indexOf(row)] as HTMLElement | undefined)?.focus();
  };
  const perform = (key: string, row: OutlineRow): boolean => {
    const isNode = row.kind === 'node';
    const parent = rows.findLastIndex((one, i) => i < current && one.kind === 'node');
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
        return did(() => (isNode && folded.has(row.id) ? fold(row.id, false) : go(current + 1)));
      case 'ArrowLeft':
        return did(() => (isNode ? fold(row.id, true) : go(parent)));
      case 'Enter':
      case ' ':
        return did(() => take(row, current));
      case 'F2':
        return isNode && canEdit && did(() => store.setState({ renaming: row.id }));
      case 'c':
        return isNode && canEdit && did(() => store.setState({ connectFrom: row.id }));
      case 'Delete':
        take(row, current);
        return canEdit && did(() => actions.deleteSelected());
      default:
        return false;
    }
  };
  return (event: KeyboardEvent): void => {
    const row = rows[current];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!perform(event.key, row)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function did(act: () => void): true {
  act();
  return true;
}
