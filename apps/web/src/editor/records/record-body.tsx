import type { TapRecordShown } from '@millrace/protocol/api';
import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { recordWords as words } from '../../text/strings/records.ts';
import { copyText } from '../../ui/copy-text.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { JsonTree } from '../../ui/json-tree/json-tree.tsx';
import { EventTime } from '../../ui/time.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useReading } from '../editor-context.tsx';
import { jsonOf } from './record-log.ts';
import styles from './records.module.css';

/** One record, whole. */
export function RecordBody({ record }: { readonly record: TapRecordShown }) {
  const { pane } = record;
  const copy = (): void =>
    void copyText(jsonOf(record)).then(
      () => toast('ok', words.copied),
      (error: Error) => toast('error', error.message),
    );
  return (
    <div className={styles.body}>
      <span className={styles.copy}>
        <IconButton size="small" icon={Copy} label={words.copy} onClick={copy} />
      </span>
      <dl className={styles.facts}>
        <Fact name={words.stream}>{useStreamWords(record.stream)}</Fact>
        <Fact name={words.key}>
          <code>{record.key}</code>
        </Fact>
        <Fact name={words.time}>
          <EventTime at={record.timestamp} as="moment" />
        </Fact>
        {pane && (
          <Fact name={words.pane}>
            <EventTime at={pane.start} /> – <EventTime at={pane.end} />{' '}
            {words.paneOf(pane.timing, pane.index)}
          </Fact>
        )}
        <Fact name={words.id}>
          <code>{record.id}</code>
        </Fact>
      </dl>
      {record.cut && <p className={styles.cut}>{words.cut}</p>}
      <JsonTree text={record.text} label={words.value} open={3} />
    </div>
  );
}

function useStreamWords(id: string): string {
  const { nodes, streams } = useReading().pipeline;
  const stream = streams.get(id);
  const nameOf = (node: string | undefined): string => nodes.get(node ?? '')?.name ?? id;
  return stream === undefined ? id : words.fromTo(nameOf(stream.from[0]), nameOf(stream.to[0]));
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
