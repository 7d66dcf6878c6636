/** A record of the stream one points at: for who may see data, while it runs. One tap, ended by the first record. */
import type { TapRecordShown } from '@millrace/protocol/api';
import { useEffect, useState } from 'react';
import { useMay } from '../../shell/session-store.ts';
import { watchTap } from '../../sockets/watch-tap.ts';
import { canvasWords as words } from '../../text/strings/canvas.ts';
import { EventTime } from '../../ui/time.tsx';
import { useDeployed, useEditor } from '../editor-context.tsx';
import styles from './stream-view.module.css';

/** Who passes over a stream does not ask for its records. */
const LOOKED_AT_MS = 250;
const MOST_CHARACTERS = 200;

/** Whether a sample can be had at all. */
export function useMaySample(): boolean {
  const mayRead = useMay('data.read');
  const runs = useDeployed(({ deployment }) => deployment?.observed.state === 'running');
  return mayRead && runs;
}

export function StreamSample({ id }: { readonly id: string }) {
  const { pipeline } = useEditor();
  const [record, setRecord] = useState<TapRecordShown>();
  useEffect(() => {
    let stop = (): void => undefined;
    const timer = setTimeout(() => {
      stop = watchTap(
        { pipeline, streams: [id], filter: undefined },
        {
          opened: () => undefined,
          ended: () => undefined,
          records: ({ records }) => {
            const last = records.at(-1);
            if (last === undefined) return;
            setRecord(last);
            stop();
          },
        },
      );
    }, LOOKED_AT_MS);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [pipeline, id]);
  // Its line is there before it: nothing moves when it comes.
  return (
    <span className={styles.sample}>
      {record === undefined ? (
        words.noSample
      ) : (
        <>
          <EventTime at={record.timestamp} as="clock" />
          <code>{record.text.replace(/\s+/g, ' ').slice(0, MOST_CHARACTERS)}</code>
        </>
      )}
    </span>
  );
}
