import type { TapRecordShown } from '@millrace/protocol/api';
import { useState } from 'react';
import { RecordBody } from './record-body.tsx';
import { RecordTrace } from './record-trace.tsx';
import styles from './records.module.css';

/** A record whole, with its way; whoever goes along the way comes back the same way. */
export function RecordView({ record }: { readonly record: TapRecordShown }) {
  const [way, setWay] = useState<readonly TapRecordShown[]>([record]);
  const shown = way.at(-1) ?? record;
  return (
    <div key={`${way.length} ${shown.id}`} className={styles.body}>
      <RecordBody record={shown} onBack={way.length > 1 ? () => setWay(way.slice(0, -1)) : undefined} />
      <RecordTrace
        id={shown.id}
        stream={shown.stream}
        onOpen={(hop) => setWay([...way, { ...hop, earlier: true }])}
      />
    </div>
  );
}
