import { ScrollText } from 'lucide-react';
import { useMemo } from 'react';
import { useMay } from '../../shell/session-store.ts';
import { logWords as words } from '../../text/strings/logs.ts';
import { Button } from '../../ui/button.tsx';
import { WallTime } from '../../ui/time.tsx';
import { useDeployed, useEditor } from '../editor-context.tsx';
import { useLogs } from '../logs/use-logs.ts';
import { setPanes } from '../panes-store.ts';
import styles from './inspector.module.css';

/** What a node's code logged last, and how much; leads to all of it. Nothing where it logged nothing. */
export function NodeLogs({ id }: { readonly id: string }) {
  const { pipeline, code, store } = useEditor();
  const isDeployed = useDeployed(({ deployment }) => deployment !== null && deployment !== undefined);
  const may = useMay('data.read');
  const logs = useLogs(pipeline, may && isDeployed);
  const lines = useMemo(() => logs?.book.lines.filter(({ node }) => node === id) ?? [], [logs, id]);
  const last = lines.at(-1);
  if (last === undefined) return null;
  const of = (level: string): number => lines.filter((line) => line.level === level).length;
  const open = (): void => {
    store.setState({ logPlace: undefined });
    setPanes({ bottom: true });
    code.store.setState({ tab: 'logs' });
  };
  return (
    <section className={styles.part} aria-label={words.title}>
      <h3>{words.title}</h3>
      <p className={styles.log} data-level={last.level}>
        <WallTime at={last.time} as="clock" /> <code title={last.text}>{last.text}</code>
      </p>
      <span>
        <Button size="small" icon={ScrollText} onClick={open}>
          {words.showLines(lines.length, of('warn'), of('error'))}
        </Button>
      </span>
    </section>
  );
}
