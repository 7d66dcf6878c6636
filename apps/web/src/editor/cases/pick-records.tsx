import { useCallback, useMemo } from 'react';
import { useMay } from '../../shell/session-store.ts';
import { caseWords as words } from '../../text/strings/cases.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { EventTime } from '../../ui/time.tsx';
import { useDeployed, useEditor, useReading } from '../editor-context.tsx';
import type { ShownRecord } from '../records/record-log.ts';
import { useTap } from '../records/use-tap.ts';
import type { CaseStep } from './case-text.ts';
import styles from './cases.module.css';

export interface PickRecordsProps {
  readonly node: string;
  readonly onPick: (steps: readonly CaseStep[]) => void;
}

/** Records that flow, or flowed a moment ago, into a node; one click takes one. */
export function PickRecords(props: PickRecordsProps) {
  const may = useMay('data.read');
  const runs = useDeployed((state) => state.deployment) !== null;
  if (!may) return <p className={styles.pickNone}>{words.pickNotYours}</p>;
  if (!runs) return <p className={styles.pickNone}>{words.pickNotRunning}</p>;
  return <Records {...props} />;
}

const MOST_SHOWN = 60;

function Records({ node, onPick }: PickRecordsProps) {
  const { pipeline } = useEditor();
  const { streams } = useReading().pipeline;
  const ports = useMemo(
    () =>
      new Map([...streams.values()].flatMap(({ id, to }) => (to[0] === node ? [[id, to[1]] as const] : []))),
    [streams, node],
  );
  const tap = useTap({ pipeline, streams: [...ports.keys()].slice(0, 32), filter: undefined });
  const take = useCallback(
    ({ stream, key, text, timestamp, pane }: ShownRecord) =>
      onPick([
        {
          kind: 'record',
          stream: ports.get(stream) ?? stream,
          key,
          value: text,
          timestamp,
          ...(pane && { pane: JSON.stringify(pane) }),
        },
      ]),
    [onPick, ports],
  );
  const records = tap.log.records.slice(-MOST_SHOWN).reverse();
  if (tap.state.kind === 'ended')
    return (
      <Notice
        tone="warn"
        action={
          <Button size="small" onClick={tap.openAgain}>
            {words.pickAgain}
          </Button>
        }
      >
        {tap.state.why}
      </Notice>
    );
  if (records.length === 0) return <p className={styles.pickNone}>{words.pickNone}</p>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what one points at shall not move away
    <div
      className={styles.picks}
      onMouseEnter={() => tap.setPaused(true)}
      onMouseLeave={() => tap.setPaused(false)}
    >
      <ul aria-label={words.picking}>
        {records.map((record) => (
          <li key={record.number}>
            <button
              type="button"
              disabled={record.cut}
              title={record.cut ? words.pickCut : undefined}
              onClick={() => take(record)}
              onFocus={() => tap.setPaused(true)}
              onBlur={() => tap.setPaused(false)}
            >
              <EventTime at={record.timestamp} />
              <code>{record.key}</code>
              <code className={styles.pickText}>{record.text.slice(0, 300)}</code>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
