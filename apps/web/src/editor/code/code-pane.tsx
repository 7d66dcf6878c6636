import { X } from 'lucide-react';
import { useCallback, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { Avatar } from '../../ui/avatar.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useEditor, useReading } from '../editor-context.tsx';
import { CodeEditor } from './code-editor.tsx';
import styles from './code-pane.module.css';

/** The code of the node that was opened last. */
export function CodePane() {
  const { draft, code, canEdit } = useEditor();
  const { opened, ready, failed } = useStore(code.store);
  const { pipeline, files } = useReading();
  const open = useCallback((id: string) => code.open(id), [code]);
  const close = (): void => code.store.setState({ opened: undefined, tab: 'problems' });
  if (opened === undefined)
    return <EmptyState title="No code is open">Open a code node with Enter or a double click.</EmptyState>;
  const node = pipeline.nodes.get(opened);
  const path = node?.code ?? files.get(opened)?.path;
  if (path === undefined)
    return <EmptyState title="This code is gone">Its node was deleted. Undo brings it back.</EmptyState>;
  return (
    <section className={styles.pane} aria-label={`Code of ${node?.name ?? path}`}>
      <header className={styles.head}>
        <strong>{node?.name ?? path}</strong>
        <span className={styles.path}>{path}</span>
        <Others code={opened} />
        <IconButton size="small" icon={X} label="Close the code" onClick={close} />
      </header>
      <div className={styles.body}>
        {ready !== undefined && (
          <CodeEditor {...ready} key={opened} draft={draft} id={opened} canEdit={canEdit} onOpen={open} />
        )}
        {ready === undefined && !failed && (
          <div className={styles.wait}>
            <Spinner /> Loading the code editor…
          </div>
        )}
        {failed && <EmptyState title="The code editor could not be loaded">Open the code again.</EmptyState>}
      </div>
    </section>
  );
}

function Others({ code }: { readonly code: string }) {
  const { presence } = useEditor().draft;
  const here = useSyncExternalStore(presence.subscribe, presence.peers).filter(
    ({ state }) => state.code === code,
  );
  return (
    <span className={styles.others}>
      {here.map(({ client, name }) => (
        <span key={client} className={styles.other}>
          <Avatar name={name} size={18} /> {name}
        </span>
      ))}
    </span>
  );
}
