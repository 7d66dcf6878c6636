import { FlaskConical, X } from 'lucide-react';
import { useCallback, useRef, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { useMay } from '../../shell/session-store.ts';
import { caseWords } from '../../text/strings/cases.ts';
import { codeWords as words } from '../../text/strings/code.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TryIt } from '../cases/try-it.tsx';
import { useEditor, useReading } from '../editor-context.tsx';
import { setPanes, usePanes } from '../panes-store.ts';
import { CodeEditor, type ShownEditor } from './code-editor.tsx';
import styles from './code-pane.module.css';
import { codesOf } from './codes-of.ts';
import { FollowOutput } from './follow-output.tsx';
import { insertSnippet } from './insert-snippet.ts';
import type { CodePlace } from './open-code.ts';
import { usersOf } from './shared-code.ts';
import { SnippetMenu } from './snippet-menu.tsx';
import type { Snippet } from './snippets.ts';
import { useFailures } from './use-failures.ts';
import { useLogNotes } from './use-log-notes.ts';

/** The code of the node that was opened last. */
export function CodePane() {
  const { code } = useEditor();
  const opened = useStore(code.store, (state) => state.opened);
  const { pipeline, files } = useReading();
  if (opened === undefined) return <EmptyState title={words.noCode}>{words.noCodeAbout}</EmptyState>;
  const node = pipeline.nodes.get(opened);
  const path = node?.code ?? files.get(opened)?.path;
  if (path === undefined) return <EmptyState title={words.codeIsGone}>{words.codeIsGoneAbout}</EmptyState>;
  return (
    <OpenedCode
      key={opened}
      id={opened}
      name={node?.name ?? path}
      path={path}
      isShared={node === undefined}
    />
  );
}

interface OpenedCodeProps {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly isShared: boolean;
}

function OpenedCode({ id, name, path, isShared }: OpenedCodeProps) {
  const { draft, code, canEdit, pipeline, store, showing } = useEditor();
  const { ready, failed, at } = useStore(code.store);
  const maySee = useMay('data.read');
  const mayTry = useMay('graph.write') && showing.kind === 'draft' && !isShared;
  const isTrying = usePanes().tryIt && mayTry;
  const failures = useFailures({ pipeline, draft, id, path, maySee });
  const logs = useLogNotes(id, path);
  const shown = useRef<ShownEditor>(undefined);
  const open = useCallback((other: string, place?: CodePlace) => code.open(other, place), [code]);
  const close = (): void => code.store.setState({ opened: undefined, tab: 'problems' });
  const openLogs = (line: number): void => {
    store.setState({ logPlace: `${path}:${line}` });
    code.store.setState({ tab: 'logs' });
  };
  const insert = (snippet: Snippet, isWhole: boolean): void => {
    if (shown.current !== undefined) insertSnippet({ instance: shown.current, draft, snippet, isWhole });
  };
  return (
    <section className={styles.pane} aria-label={words.codeOf(name)}>
      <header className={styles.head}>
        <strong>{name}</strong>
        <span className={styles.path}>
          {isShared ? words.usedBy(usersOf(path, codesOf(draft.document)).map((user) => user.name)) : path}
        </span>
        <Others code={id} />
        {canEdit && <FollowOutput node={id} />}
        {canEdit && (
          <SnippetMenu
            onComputation={isShared ? undefined : (snippet) => insert(snippet, true)}
            onPiece={(snippet) => insert(snippet, false)}
          />
        )}
        {mayTry && (
          <Button
            size="small"
            look="quiet"
            icon={FlaskConical}
            aria-pressed={isTrying}
            data-state={isTrying ? 'open' : 'closed'}
            title={caseWords.tryAbout}
            onClick={() => setPanes({ tryIt: !isTrying })}
          >
            {caseWords.tryIt}
          </Button>
        )}
        <IconButton size="small" icon={X} label={words.close} onClick={close} />
      </header>
      <div className={styles.sides} data-try={isTrying || undefined}>
        <div className={styles.body}>
          {ready !== undefined && (
            <CodeEditor
              {...ready}
              draft={draft}
              id={id}
              canEdit={canEdit}
              at={at}
              failures={failures}
              logs={logs}
              shown={shown}
              onOpen={open}
              onLogs={openLogs}
            />
          )}
          {ready === undefined && !failed && (
            <div className={styles.wait}>
              <Spinner /> {words.loading}
            </div>
          )}
          {failed && <EmptyState title={words.notLoaded}>{words.notLoadedAbout}</EmptyState>}
        </div>
        {isTrying && <TryIt node={id} onClose={() => setPanes({ tryIt: false })} />}
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
