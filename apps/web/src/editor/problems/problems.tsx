import type { Issue } from '@millrace/graph';
import { useVirtualizer } from '@tanstack/react-virtual';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { problemWords as words } from '../../text/strings/problems.ts';
import { Icon } from '../../ui/icon.tsx';
import { nextStop } from '../../ui/roving/next-stop.ts';
import { Spinner } from '../../ui/spinner.tsx';
import type { CanvasSlot } from '../canvas/canvas-view.ts';
import { useChecking, useEditor, useProblems, useReading } from '../editor-context.tsx';
import { select } from '../editor-store.ts';
import { issueWords } from './issue-words.ts';
import styles from './problems.module.css';

const ROW_HEIGHT = 24;

/** Everything that is wrong with the draft, errors first. A click or Enter goes there. */
export function Problems({ slot }: { readonly slot: CanvasSlot }) {
  const { checking, failed } = useStore(useEditor().code.store);
  const issues = useProblems();
  const isLate = useChecking();
  if (issues.length > 0) return <List issues={issues} slot={slot} />;
  if (failed) {
    return (
      <p className={styles.none}>
        <Icon of={TriangleAlert} /> {words.notChecked}
      </p>
    );
  }
  return checking || isLate ? (
    <p className={styles.none}>
      <Spinner /> {words.checkingCode}
    </p>
  ) : (
    <p className={styles.none}>
      <Icon of={CircleCheck} /> {words.sound}
    </p>
  );
}

/** One stop of the tab key; arrows move in it. Only rows in sight are there. */
function List({ issues, slot }: { readonly issues: readonly Issue[]; readonly slot: CanvasSlot }) {
  const { pipeline } = useReading();
  const goTo = useGoTo(slot);
  const ordered = [...issues].sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
  const frame = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const wantsFocus = useRef(false);
  const rows = useVirtualizer({
    count: ordered.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const current = Math.min(active, ordered.length - 1);
  const move = (event: KeyboardEvent): void => {
    const next = nextStop(event.key, current, ordered.length);
    if (next === undefined) return;
    event.preventDefault();
    wantsFocus.current = true;
    setActive(next);
    rows.scrollToIndex(next);
  };
  useEffect(() => {
    if (!wantsFocus.current) return;
    const row = frame.current?.querySelector<HTMLElement>(`[data-index="${current}"] button`);
    if (row === null || row === undefined) return;
    wantsFocus.current = false;
    row.focus({ preventScroll: true });
  });
  return (
    <div ref={frame} className={styles.list}>
      <ul aria-label={words.problems} style={{ height: rows.getTotalSize() }} onKeyDown={move}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const issue = ordered[index];
          return issue === undefined ? null : (
            <li
              key={index}
              ref={rows.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Row
                issue={issue}
                where={whereOf(issue, pipeline.nodes.get(issue.node ?? '')?.name)}
                isActive={index === current}
                onGo={() => {
                  setActive(index);
                  goTo(issue);
                }}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface RowProps {
  readonly issue: Issue;
  readonly where: string;
  readonly isActive: boolean;
  readonly onGo: () => void;
}

const Row = ({ issue, where, isActive, onGo }: RowProps) => (
  <button type="button" className={styles.issue} tabIndex={isActive ? 0 : -1} onClick={onGo}>
    <span className={styles.sign} data-tone={issue.severity}>
      <Icon
        of={issue.severity === 'error' ? CircleAlert : TriangleAlert}
        size={14}
        label={words.severity[issue.severity]}
      />
    </span>
    <span className={styles.text}>{issueWords(issue)}</span>
    <span className={styles.where}>{where}</span>
  </button>
);

/** To the node or stream, and to the line where it is about code. */
function useGoTo(slot: CanvasSlot): (issue: Issue) => void {
  const { store, code } = useEditor();
  const { pipeline, files } = useReading();
  return ({ node, stream, file, line, column }) => {
    const shared = [...files.values()].find(({ path }) => path === file);
    if (shared !== undefined) return code.open(shared.id, { line, column });
    if (stream !== undefined && pipeline.streams.has(stream)) select(store, { streams: [stream] });
    else if (node !== undefined && pipeline.nodes.has(node)) select(store, { nodes: [node] });
    // The pipeline as a whole, such as its parameters: what is shown while nothing is selected.
    else return select(store, {});
    slot.current?.reveal([stream ?? node ?? '']);
    if (node !== undefined && file === pipeline.nodes.get(node)?.code) code.open(node, { line, column });
  };
}

function whereOf({ file, line, node }: Issue, name: string | undefined): string {
  const place = file === 'pipeline.json' ? '' : `${file}:${line}`;
  return [name ?? node, place].filter(Boolean).join(' · ');
}
