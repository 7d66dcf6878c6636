import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { useCallback } from 'react';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { stateWords as words } from '../../text/strings/state.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { useEditor } from '../editor-context.tsx';
import { KeyRow } from './key-list.tsx';
import { orNone } from './or-none.ts';
import styles from './state.module.css';

export interface BiggestKeysProps {
  readonly node: string;
  readonly onChoose: (key: string) => void;
}

type Biggest = Pick<AnswerOf<RouteOf<'state.biggest'>>, 'items' | 'lookedAt' | 'complete'>;

const NONE: Biggest = { items: [], lookedAt: 0, complete: true };

/** The keys with the most bytes stored, as far as the server looked. */
export function BiggestKeys({ node, onChoose }: BiggestKeysProps) {
  const { pipeline } = useEditor();
  const biggest = useLoad(
    useCallback(
      (signal: AbortSignal) =>
        orNone<Biggest>(call('state.biggest', { params: { pipeline, node }, signal }), NONE),
      [pipeline, node],
    ),
  );
  return (
    <LoadState of={biggest}>
      {({ items, lookedAt, complete }) =>
        items.length === 0 ? (
          <EmptyState title={words.none}>{words.noneAbout}</EmptyState>
        ) : (
          <ul className={styles.biggest} aria-label={words.biggest}>
            {!complete && <li className={styles.none}>{words.lookedAt(lookedAt)}</li>}
            {items.map((item) => (
              <li key={item.key}>
                <KeyRow item={item} onChoose={() => onChoose(item.key)} />
              </li>
            ))}
          </ul>
        )
      }
    </LoadState>
  );
}
