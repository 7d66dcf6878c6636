import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { messageOf } from '../../api/api-error.ts';
import { useMay } from '../../shell/session-store.ts';
import { stateWords as words } from '../../text/strings/state.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { useEditor, useEditorState } from '../editor-context.tsx';
import { BiggestKeys } from './biggest-keys.tsx';
import { KeyList } from './key-list.tsx';
import { KeyView } from './key-view.tsx';
import styles from './state.module.css';
import { useKeys } from './use-keys.ts';

/** What a computation has stored, key by key; what was found stays while one key is looked at. */
export function StatePane({ node }: { readonly node: string }) {
  const { deployed, store } = useEditor();
  const { deployment, version } = useStore(deployed.store);
  const may = useMay('data.read');
  const [key, setKey] = useState<string>();
  const [which, setWhich] = useState<'all' | 'biggest'>('all');
  const asked = useEditorState((state) => state.stateKey);
  useEffect(() => {
    if (asked?.node !== node) return;
    setKey(asked.key);
    store.setState({ stateKey: undefined });
  }, [asked, node, store]);
  if (!may) return <EmptyState title={words.notForYou}>{words.notForYouAbout}</EmptyState>;
  const isThere = version === undefined || version.document.read().pipeline.nodes.has(node);
  if (deployment === null || !isThere)
    return <EmptyState title={words.notDeployed}>{words.notDeployedAbout}</EmptyState>;
  return (
    <div className={styles.pane}>
      <div className={styles.browse} hidden={key !== undefined}>
        <div className={styles.which}>
          <Segmented
            label={words.which}
            value={which}
            onChange={setWhich}
            options={[
              { value: 'all', label: words.all },
              { value: 'biggest', label: words.biggest },
            ]}
          />
        </div>
        {which === 'all' ? (
          <Browse node={node} onChoose={setKey} />
        ) : (
          <BiggestKeys node={node} onChoose={setKey} />
        )}
      </div>
      {key !== undefined && <KeyView node={node} keyText={key} onBack={() => setKey(undefined)} />}
    </div>
  );
}

interface BrowseProps {
  readonly node: string;
  readonly onChoose: (key: string) => void;
}

const QUIET_MS = 250;

function Browse({ node, onChoose }: BrowseProps) {
  const { pipeline } = useEditor();
  const [text, setText] = useState('');
  const beginning = useDebounced(text, QUIET_MS);
  const keys = useKeys(pipeline, node, beginning);
  return (
    <>
      <div className={styles.find}>
        <TextInput
          size="small"
          icon={Search}
          isCode
          aria-label={words.find}
          placeholder={words.find}
          value={text}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {keys.error !== undefined && <Notice tone="error">{messageOf(keys.error)}</Notice>}
      {keys.items.length > 0 && <KeyList keys={keys} onChoose={onChoose} />}
      {keys.items.length === 0 && keys.error === undefined && (
        <None isBusy={keys.busy} beginning={beginning} />
      )}
    </>
  );
}

function None({ isBusy, beginning }: { readonly isBusy: boolean; readonly beginning: string }) {
  if (isBusy) return <p className={styles.none}>{words.looking}</p>;
  if (beginning !== '') return <p className={styles.none}>{words.noneBegin(beginning)}</p>;
  return <EmptyState title={words.none}>{words.noneAbout}</EmptyState>;
}
