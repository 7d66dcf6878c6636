import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../shell/session-store.ts';
import { formatCount, formatFull } from '../../text/format-number.ts';
import { deadLetterWords as words } from '../../text/strings/dead-letters.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { WallTime } from '../../ui/time.tsx';
import type { DeadLetterGroup } from '../code/failures.ts';
import { useReading } from '../editor-context.tsx';
import styles from './dead-letters.module.css';
import { GroupView } from './group-view.tsx';
import { useGroups } from './use-groups.ts';

/** What could not be processed, by its cause: to look at, to deliver again after a fix, to forget. */
export function DeadLetters() {
  if (!useMay('data.read')) return <EmptyState title={words.notForYou}>{words.notForYouAbout}</EmptyState>;
  return <Causes />;
}

const idOf = ({ group, node }: DeadLetterGroup): string => group ?? `of ${node}`;

function Causes() {
  const groups = useGroups();
  const [chosen, setChosen] = useState<string>();
  return (
    <LoadState of={groups} lines={2}>
      {(all) => {
        const shown = all.find((each) => idOf(each) === chosen) ?? all[0];
        if (shown === undefined)
          return (
            <EmptyState picture={<Icon of={Inbox} size={24} />} title={words.none}>
              {words.noneAbout}
            </EmptyState>
          );
        return (
          <div className={styles.split}>
            <ul className={styles.groups} aria-label={words.groups}>
              {all.map((group) => (
                <li key={idOf(group)}>
                  <Row group={group} isShown={group === shown} onShow={() => setChosen(idOf(group))} />
                </li>
              ))}
            </ul>
            <GroupView key={idOf(shown)} group={shown} onChanged={groups.reload} />
          </div>
        );
      }}
    </LoadState>
  );
}

interface RowProps {
  readonly group: DeadLetterGroup;
  readonly isShown: boolean;
  readonly onShow: () => void;
}

function Row({ group, isShown, onShow }: RowProps) {
  const { nodes } = useReading().pipeline;
  return (
    <button type="button" className={styles.group} aria-current={isShown} onClick={onShow}>
      <span className={styles.count} title={formatFull(group.count)}>
        {formatCount(group.count)}
      </span>
      <span className={styles.error} title={group.error}>
        {group.error}
      </span>
      <span className={styles.about}>
        <span>{nodes.get(group.node)?.name ?? group.node}</span>
        {group.place && <code title={group.place}>{shortPlace(group.place)}</code>}
        <WallTime at={group.newestAt} as="ago" />
      </span>
    </button>
  );
}

/** `nodes/parse.ts:4:11` as `parse.ts:4`: there is little room beside the node. */
const shortPlace = (place: string): string => place.replace(/^.*\//, '').replace(/:\d+$/, '');
