import { useEffect, useSyncExternalStore } from 'react';
import { useMe } from '../shell/session-store.ts';
import { editorWords as words } from '../text/strings/editor.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { useEditor, useEditorState } from './editor-context.tsx';
import styles from './people.module.css';

const SHOWN = 4;

/** Who else has this draft open; tells them what is selected here. */
export function People() {
  const { presence } = useEditor().draft;
  const nodes = useEditorState((state) => state.nodes);
  const peers = useSyncExternalStore(presence.subscribe, presence.peers);
  useEffect(() => presence.show({ selection: [...nodes].slice(0, 100) }), [presence, nodes]);
  const me = useMe().account.id;
  const others = peers.filter(({ account }) => account !== me);
  const people = [...new Map(others.map((peer) => [peer.account, peer])).values()];
  if (people.length === 0) return null;
  return (
    <ul className={styles.people} aria-label={words.alsoHere}>
      {people.slice(0, SHOWN).map(({ account, name }) => (
        <li key={account}>
          <Tooltip text={words.isHereToo(name)}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the name is in its tooltip */}
            <span className={styles.person} role="img" aria-label={name} tabIndex={0}>
              <Avatar name={name} size={24} />
            </span>
          </Tooltip>
        </li>
      ))}
      {people.length > SHOWN && <li className={styles.more}>+{people.length - SHOWN}</li>}
    </ul>
  );
}
