import { RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { useAction } from '../../api/use-action.ts';
import { useMay } from '../../shell/session-store.ts';
import { deadLetterWords as words } from '../../text/strings/dead-letters.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { toast } from '../../ui/toast-store.ts';
import type { DeadLetterGroup } from '../code/failures.ts';
import { useEditor } from '../editor-context.tsx';
import styles from './dead-letters.module.css';
import { FailedPlace } from './failed-place.tsx';
import { LettersView } from './letters-view.tsx';
import { redriveGroup } from './redrive-group.ts';
import { tellRedriven, useRedrive } from './redrive-here.ts';

export interface GroupViewProps {
  readonly group: DeadLetterGroup;
  readonly onChanged: () => void;
}

/** One cause: where it is in the code, what can be done about all of it, and its letters one by one. */
export function GroupView({ group, onChanged }: GroupViewProps) {
  const { letters } = useEditor();
  const [round, setRound] = useState(0);
  const changed = (): void => {
    letters.refresh();
    setRound((count) => count + 1);
    onChanged();
  };
  return (
    <section className={styles.shown} aria-label={group.error}>
      <header className={styles.head}>
        <h3 title={group.error}>{group.error}</h3>
        <div className={styles.row}>
          <FailedPlace group={group} />
          <GroupActions group={group} onChanged={changed} />
        </div>
      </header>
      <LettersView group={group} round={round} onChanged={changed} />
    </section>
  );
}

function GroupActions({ group: { group, node, count }, onChanged }: GroupViewProps) {
  const { pipeline } = useEditor();
  const params = { pipeline };
  const how = useRedrive();
  const mayWrite = useMay('data.write');
  const [soFar, setSoFar] = useState<number>();
  const [isAsked, setAsked] = useState(false);
  const redrive = useAction(async () => {
    if (group === null) return;
    const ask = (cursor: string | undefined) =>
      call('dead-letters.redrive', {
        params,
        body: { group, ...(cursor !== undefined && { cursor }) },
        signal: redrive.signal,
      });
    try {
      tellRedriven(await redriveGroup(ask, ({ redriven }) => setSoFar(redriven)));
    } finally {
      setSoFar(undefined);
      onChanged();
    }
  });
  const discard = useAction(async () => {
    const { discarded } = await call('dead-letters.discard', { params, body: { group, node } });
    setAsked(false);
    toast('ok', words.discarded(discarded));
    onChanged();
  });
  return (
    <>
      {redrive.error !== undefined && (
        <span className={styles.fault} role="alert">
          {redrive.error}
        </span>
      )}
      {redrive.isLong && (
        <span className={styles.progress}>
          {words.redriving(soFar ?? 0)}
          <Button size="small" look="quiet" onClick={redrive.cancel}>
            {words.stop}
          </Button>
        </span>
      )}
      {mayWrite && (
        <Button size="small" look="quiet" icon={Trash2} onClick={() => setAsked(true)}>
          {words.discard}
        </Button>
      )}
      {group !== null && (
        <Button
          size="small"
          look="primary"
          icon={RotateCcw}
          busy={redrive.busy}
          disabled={'not' in how}
          title={'not' in how ? how.not : how.about}
          onClick={() => void redrive.run()}
        >
          {words.redriveAll(count)}
        </Button>
      )}
      <Confirm
        open={isAsked}
        onClose={() => setAsked(false)}
        title={words.discardAll(count)}
        verb={words.discard}
        isDanger
        busy={discard.busy}
        error={discard.error}
        onConfirm={() => void discard.run()}
      >
        {words.discardAbout}
      </Confirm>
    </>
  );
}
