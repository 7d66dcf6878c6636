import { useEffect } from 'react';
import { useStore } from 'zustand';
import { formatCount } from '../../text/format-number.ts';
import { drawerWords as words } from '../../text/strings/drawer.ts';
import { type Tab, Tabs } from '../../ui/tabs.tsx';
import type { CanvasSlot } from '../canvas/canvas-view.ts';
import { Metrics } from '../charts/metrics.tsx';
import { CodePane } from '../code/code-pane.tsx';
import type { DrawerTab } from '../code/open-code.ts';
import { DeadLetters } from '../dead-letters/dead-letters.tsx';
import { useEditor, useProblems, useReading } from '../editor-context.tsx';
import { Logs } from '../logs/logs.tsx';
import { Pane } from '../pane.tsx';
import { panesStore, setPanes, usePanes } from '../panes-store.ts';
import { Problems } from '../problems/problems.tsx';
import { Records } from '../records/records.tsx';
import styles from './drawer.module.css';

const CODE_HEIGHT = 360;
/** Lists beside what is chosen in them. */
const DATA_HEIGHT = 272;

/** Below the canvas: what is wrong, the code, what flows and what went wrong with it. */
export function Drawer({ slot }: { readonly slot: CanvasSlot }) {
  const { bottom, bottomHeight } = usePanes();
  const { code } = useEditor();
  const { tab, opened } = useStore(code.store);
  const { pipeline } = useReading();
  const count = useProblems().length;
  const letters = useOpenLetters();
  // Code needs room; whoever opens it wants to see it.
  useEffect(() => {
    if (opened === undefined) return;
    const { bottomHeight: height } = panesStore.getState();
    setPanes({ bottom: true, bottomHeight: Math.max(height, CODE_HEIGHT) });
    // The drawer takes room from the canvas: the node is to stay in sight.
    const timer = setTimeout(() => slot.current?.reveal([opened]), 50);
    return () => clearTimeout(timer);
  }, [opened, slot]);
  if (!bottom) return null;
  const name = pipeline.nodes.get(opened ?? '')?.name;
  const tabs: readonly Tab<DrawerTab>[] = [
    {
      value: 'problems',
      label: words.problems,
      aside: count > 0 && <span className={styles.count}>{count}</span>,
      content: <Problems slot={slot} />,
    },
    { value: 'code', label: name ? words.codeOf(name) : words.code, content: <CodePane /> },
    { value: 'records', label: words.records, content: <Records /> },
    {
      value: 'dead-letters',
      label: words.deadLetters,
      aside: letters > 0 && <span className={styles.count}>{formatCount(letters)}</span>,
      content: <DeadLetters />,
    },
    { value: 'logs', label: words.logs, content: <Logs /> },
    { value: 'metrics', label: words.metrics, content: <Metrics /> },
  ];
  return (
    <Pane
      side="bottom"
      label="drawer"
      size={bottomHeight}
      least={96}
      most={720}
      onResize={(next) => setPanes({ bottomHeight: next })}
    >
      <Tabs
        label={words.drawer}
        value={tab}
        onChange={(next) => {
          code.store.setState({ tab: next });
          // Code is opened of a node; which one is not remembered.
          if (next === 'code') return;
          const height = next === 'problems' ? bottomHeight : Math.max(bottomHeight, DATA_HEIGHT);
          setPanes({ drawerTab: next, bottomHeight: height });
        }}
        tabs={tabs}
      />
    </Pane>
  );
}

function useOpenLetters(): number {
  const byNode = useStore(useEditor().letters.store, (state) => state.byNode);
  return [...(byNode?.values() ?? [])].reduce((sum, count) => sum + count, 0);
}
