import { AlarmClock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCallback } from 'react';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { recordWords as words } from '../../text/strings/records.ts';
import { Icon } from '../../ui/icon.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { EventTime, WallTime } from '../../ui/time.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { useEditor, useReading } from '../editor-context.tsx';
import { type TracedHop, wayRows } from './record-way.ts';
import styles from './records.module.css';
import { useStreamWords } from './stream-words.ts';

export interface RecordTraceProps {
  readonly id: string;
  readonly stream: string;
  readonly onOpen: (record: TracedHop) => void;
}

/** Whoever runs through a list with the arrow keys asks nothing of the engine. */
const STILL_MS = 200;

/** Of what a record was made, and what was made of it, as far as it was recorded. */
export function RecordTrace({ id, stream, onOpen }: RecordTraceProps) {
  const { pipeline } = useEditor();
  const still = useDebounced(id, STILL_MS);
  const trace = useLoad(
    useCallback(
      (signal: AbortSignal) =>
        call('records.trace', { params: { pipeline }, body: { record: still }, signal }),
      [pipeline, still],
    ),
  );
  const ends = useEnds(stream);
  return (
    <LoadState of={trace} lines={1}>
      {({ record, parents, children, cut }) => (
        <>
          <Way
            title={words.cameFrom}
            hops={parents}
            id={still}
            lead={record?.timer && <MadeByTimer timer={record.timer} />}
            onOpen={onOpen}
          >
            {record?.timer === undefined ? (ends.cameIn ?? words.noParents) : words.armedByUnknown}
          </Way>
          <Way title={words.madeOfIt} hops={children} id={still} onOpen={onOpen}>
            {ends.goesOut ?? (record === undefined ? words.notRecorded : words.noChildren)}
          </Way>
          {cut && <p className={styles.note}>{words.traceCut}</p>}
        </>
      )}
    </LoadState>
  );
}

/** What a stream that begins at a source or ends at a sink says of its records. */
function useEnds(id: string): { readonly cameIn: string | undefined; readonly goesOut: string | undefined } {
  const { nodes, streams } = useReading().pipeline;
  const stream = streams.get(id);
  const from = nodes.get(stream?.from[0] ?? '');
  const to = nodes.get(stream?.to[0] ?? '');
  return {
    cameIn: from?.type.startsWith('injector/') ? words.cameIn(from.name) : undefined,
    goesOut: to?.type.startsWith('sink/') ? words.goesOut(to.name) : undefined,
  };
}

interface WayProps {
  readonly title: string;
  readonly hops: readonly TracedHop[];
  readonly id: string;
  /** In front of all. */
  readonly lead?: ReactNode;
  readonly onOpen: (record: TracedHop) => void;
  /** Where there is nothing. */
  readonly children: ReactNode;
}

function Way({ title, hops, id, lead, onOpen, children }: WayProps) {
  const rows = wayRows(hops, id);
  return (
    <section className={styles.way} aria-label={title}>
      <h3>{title}</h3>
      {lead}
      {rows.length === 0 ? (
        <p className={styles.note}>{children}</p>
      ) : (
        <ul>
          {rows.map(({ hop, depth }) => (
            <li key={`${hop.stream} ${hop.id}`} style={{ paddingLeft: 16 * Math.min(depth, 6) }}>
              <Hop hop={hop} onOpen={onOpen} />
              {hop.timer && <MadeByTimer timer={hop.timer} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What made the record, where that was no record: the one below has armed it. */
function MadeByTimer({ timer: { tag, clock, time } }: { readonly timer: NonNullable<TracedHop['timer']> }) {
  return (
    <p className={styles.timer}>
      <Icon of={AlarmClock} size={14} />
      <span>
        {words.madeByTimer} <code>{tag}</code> {words.timerAt}{' '}
        {clock === 'wall' ? <WallTime at={time} as="moment" /> : <EventTime at={time} as="moment" />}
      </span>
    </p>
  );
}

function Hop({ hop, onOpen }: { readonly hop: TracedHop; readonly onOpen: (record: TracedHop) => void }) {
  return (
    <button type="button" className={styles.hop} onClick={() => onOpen(hop)}>
      <span className={styles.hopStream}>{useStreamWords(hop.stream)}</span>
      <EventTime at={hop.timestamp} />
      <code className={styles.key}>{hop.key}</code>
      <code className={styles.text}>{hop.text}</code>
    </button>
  );
}
