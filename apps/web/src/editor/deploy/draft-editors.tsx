import { useCallback } from 'react';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { deployWords } from '../../text/strings/deploy.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { WallTime } from '../../ui/time.tsx';
import { useEditor } from '../editor-context.tsx';
import styles from './draft-editors.module.css';

const { dialog: words } = deployWords;

export interface DraftEditorsProps {
  /** A version; undefined: since ever. */
  readonly since: number | undefined;
  /** Another one asks again. */
  readonly revision: number;
}

/** Whose edits go out. Without an answer nothing is said: what goes out is shown anyway. */
export function DraftEditors({ since, revision }: DraftEditorsProps) {
  const { pipeline } = useEditor();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision may be another person's
  const load = useCallback(
    (signal: AbortSignal) =>
      call('draft.editors', {
        params: { pipeline },
        query: since === undefined ? {} : { since },
        signal,
      }),
    [pipeline, since, revision],
  );
  const state = useLoad(load);
  if (state.kind !== 'ready' || state.value.items.length === 0) return null;
  return (
    <p className={styles.editors}>
      {words.editors}
      {state.value.items.map(({ name, at }) => (
        <span key={name} className={styles.editor}>
          <Avatar name={name} size={18} />
          {name}
          <span className={styles.when}>
            <WallTime at={at} as="ago" />
          </span>
        </span>
      ))}
    </p>
  );
}
