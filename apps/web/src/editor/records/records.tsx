import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useMay } from '../../shell/session-store.ts';
import { recordWords as words } from '../../text/strings/records.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useEditor, useEditorState, useReading } from '../editor-context.tsx';
import { RecordList } from './record-list.tsx';
import type { ShownRecord } from './record-log.ts';
import { RecordView } from './record-view.tsx';
import styles from './records.module.css';
import { RecordsBar } from './records-bar.tsx';
import { tappedStreams } from './tapped-streams.ts';
import { type Tap, useTap } from './use-tap.ts';

/** Records that flow where something is selected, as they go by. */
export function Records() {
  const may = useMay('data.read');
  const streams = useSelectedStreams();
  const { deployed } = useEditor();
  const { deployment, version } = useStore(deployed.store);
  if (!may) return <EmptyState title={words.notForYou}>{words.notForYouAbout}</EmptyState>;
  const state = deployment?.observed.state;
  if (deployment === null || (state !== undefined && !FLOWS.has(state)))
    return <EmptyState title={words.notRunning}>{words.notRunningAbout}</EmptyState>;
  if (streams.length === 0)
    return <EmptyState title={words.nothingSelected}>{words.nothingSelectedAbout}</EmptyState>;
  const there = version?.document.read().pipeline.streams;
  const running = streams.filter((id) => there === undefined || there.has(id));
  if (running.length === 0)
    return <EmptyState title={words.notDeployed}>{words.notDeployedAbout}</EmptyState>;
  return <Tapped streams={running} />;
}

const FLOWS: ReadonlySet<string> = new Set(['starting', 'running', 'draining', 'redriving', 'paused']);

function useSelectedStreams(): readonly string[] {
  const nodes = useEditorState((state) => state.nodes);
  const streams = useEditorState((state) => state.streams);
  const { pipeline } = useReading();
  return useMemo(() => tappedStreams(pipeline.streams, { nodes, streams }), [pipeline, nodes, streams]);
}

function Tapped({ streams }: { readonly streams: readonly string[] }) {
  const { pipeline } = useEditor();
  const [filter, setFilter] = useState<string>();
  const [chosen, setChosen] = useState<ShownRecord>();
  const tap = useTap({ pipeline, streams, filter });
  return (
    <section className={styles.records} aria-label={words.title}>
      <RecordsBar tap={tap} streams={streams} filter={filter} onFilter={setFilter} />
      <div className={styles.split}>
        {tap.log.records.length === 0 ? (
          <p className={styles.none}>{noneYet(tap, filter)}</p>
        ) : (
          <RecordList
            records={tap.log.records}
            chosen={chosen?.number}
            isPaused={tap.isPaused}
            onChoose={(record) => {
              setChosen(record);
              // What one looks at is not to run away.
              tap.setPaused(true);
            }}
          />
        )}
        {chosen === undefined ? (
          <p className={styles.none}>{words.noneChosen}</p>
        ) : (
          <RecordView key={chosen.number} record={chosen} />
        )}
      </div>
    </section>
  );
}

const noneYet = ({ state }: Tap, filter: string | undefined): string => {
  if (state.kind === 'ended') return '';
  if (state.kind === 'opening') return words.opening;
  return filter === undefined ? words.waiting : words.waitingFiltered;
};
