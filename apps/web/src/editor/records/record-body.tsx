import type { TapRecordShown } from '@millrace/protocol/api';
import { ChevronLeft, Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { recordWords as words } from '../../text/strings/records.ts';
import { copyText } from '../../ui/copy-text.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { JsonTree } from '../../ui/json-tree/json-tree.tsx';
import { KeyText } from '../../ui/key-text.tsx';
import { EventTime } from '../../ui/time.tsx';
import { toast } from '../../ui/toast-store.ts';
import { jsonOf } from './record-log.ts';
import styles from './records.module.css';
import { useStreamWords } from './stream-words.ts';

export interface RecordBodyProps {
  readonly record: TapRecordShown;
  /** Undefined: it is the one that was chosen. */
  readonly onBack: (() => void) | undefined;
}

/** One record, whole. */
export function RecordBody({ record, onBack }: RecordBodyProps) {
  const { pane } = record;
  const copy = (): void =>
    void copyText(jsonOf(record)).then(
      () => toast('ok', words.copied),
      (error: Error) => toast('error', error.message),
    );
  return (
    <>
      {onBack && (
        <span className={styles.back}>
          <IconButton size="small" icon={ChevronLeft} label={words.back} onClick={onBack} />
        </span>
      )}
      <span className={styles.copy}>
        <IconButton size="small" icon={Copy} label={words.copy} onClick={copy} />
      </span>
      <dl className={styles.facts}>
        <Fact name={words.stream}>{useStreamWords(record.stream)}</Fact>
        <Fact name={words.key}>
          <KeyText of={record.key} />
        </Fact>
        <Fact name={words.time}>
          <EventTime at={record.timestamp} as="moment" />
        </Fact>
        {pane && (
          <Fact name={words.pane}>
            <EventTime at={pane.start} /> – <EventTime at={pane.end} />{' '}
            {words.paneOf(pane.timing, pane.index)}
            {pane.retracts && `, ${words.takesBack}`}
          </Fact>
        )}
        <Fact name={words.id}>
          <code>{record.id}</code>
        </Fact>
      </dl>
      {record.cut && <p className={styles.cut}>{words.cut}</p>}
      <JsonTree text={record.text} label={words.value} open={3} />
    </>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
