import { useCallback } from 'react';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../ui/badge.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { useEditor } from '../editor-context.tsx';
import styles from './deploy-dialog.module.css';

/** What of the draft differs from a version: from what runs, or the newest. */
export function Changes({ from }: { readonly from: number | undefined }) {
  const { pipeline, draft } = useEditor();
  const load = useCallback(
    async (signal: AbortSignal) => {
      await draft.flush();
      const query = from === undefined ? {} : { from: String(from) };
      return call('pipelines.diff', { params: { pipeline }, query, signal });
    },
    [pipeline, draft, from],
  );
  const state = useLoad(load);
  return (
    <section>
      <h3 className={styles.heading}>
        {from === undefined ? 'In this draft' : `Since version ${from}, which was deployed last`}
      </h3>
      <LoadState of={state}>
        {({ same, nodes }) => {
          const changed = nodes.filter(({ kind }) => kind !== 'kept');
          if (same || changed.length === 0)
            return (
              <p className={styles.note}>
                {from === undefined ? 'Nothing was deployed before.' : 'No node is different.'}
              </p>
            );
          return (
            <ul className={styles.list}>
              {changed.map(({ id, name, kind, changes }) => (
                <li key={id} className={styles.row}>
                  <span>
                    <Badge bare tone={kind === 'removed' ? 'error' : kind === 'new' ? 'ok' : 'warn'}>
                      {kind}
                    </Badge>
                  </span>
                  <div>
                    <div className={styles.name}>{name}</div>
                    {changes.length > 0 && <div className={styles.note}>{changes.join(' · ')}</div>}
                  </div>
                </li>
              ))}
            </ul>
          );
        }}
      </LoadState>
    </section>
  );
}
