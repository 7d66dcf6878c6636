import { ChevronLeft, ChevronRight, Copy, RotateCcw, Trash2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { call } from '../../api/call.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { useMay } from '../../shell/session-store.ts';
import { deadLetterWords as words } from '../../text/strings/dead-letters.ts';
import { copyText } from '../../ui/copy-text.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { toast } from '../../ui/toast-store.ts';
import type { DeadLetterGroup } from '../code/failures.ts';
import { useEditor } from '../editor-context.tsx';
import styles from './dead-letters.module.css';
import { type DeadLetter, LetterBody } from './letter-body.tsx';
import { tellRedriven, useRedrive } from './redrive-here.ts';

export interface LettersViewProps {
  readonly group: DeadLetterGroup;
  /** Another one: the letters may be others. */
  readonly round: number;
  readonly onChanged: () => void;
}

/** The letters of a cause one at a time, the newest first. */
export function LettersView({ group, round, onChanged }: LettersViewProps) {
  const { pipeline } = useEditor();
  /** Cursors of the letters on the way to the one that is shown; the last leads to it. */
  const [way, setWay] = useState<readonly (string | undefined)[]>([undefined]);
  const cursor = way.at(-1);
  const { group: hash, node } = group;
  const letter = useLoad(
    // biome-ignore lint/correctness/useExhaustiveDependencies: another round looks again
    useCallback(
      async (signal: AbortSignal) => {
        const { items, next } = await call('dead-letters.list', {
          params: { pipeline },
          query: {
            limit: 1,
            node,
            ...(hash !== null && { group: hash }),
            ...(cursor !== undefined && { cursor }),
          },
          signal,
        });
        const [first] = items;
        if (first === undefined) return undefined;
        const params = { pipeline, number: first.number };
        return { letter: await call('dead-letters.get', { params, signal }), next };
      },
      [pipeline, hash, node, cursor, round],
    ),
  );
  const next = letter.kind === 'ready' ? letter.value?.next : undefined;
  return (
    <LoadState of={letter}>
      {(found) => (
        <>
          <div className={styles.step}>
            <IconButton
              size="small"
              icon={ChevronLeft}
              label={words.newer}
              disabled={way.length === 1}
              onClick={() => setWay(way.slice(0, -1))}
            />
            <span className={styles.number}>
              {found === undefined ? words.gone : words.letter(found.letter.number)}
            </span>
            <IconButton
              size="small"
              icon={ChevronRight}
              label={words.older}
              disabled={next === null || next === undefined}
              onClick={() => next && setWay([...way, next])}
            />
            {found && <LetterActions letter={found.letter} onChanged={onChanged} />}
          </div>
          {found && <LetterBody letter={found.letter} />}
        </>
      )}
    </LoadState>
  );
}

interface LetterActionsProps {
  readonly letter: DeadLetter;
  readonly onChanged: () => void;
}

function LetterActions({ letter, onChanged }: LetterActionsProps) {
  const { pipeline } = useEditor();
  const how = useRedrive();
  const why = 'not' in how ? how.not : letter.redrivable ? undefined : words.notKept;
  const mayWrite = useMay('data.write');
  const body = { letters: [letter.number] };
  const redrive = useAction(async () => {
    const { redriven, refused, refusedCount } = await call('dead-letters.redrive', {
      params: { pipeline },
      body,
    });
    tellRedriven({ redriven, refused: refusedCount, reason: refused[0]?.reason });
    onChanged();
  });
  const discard = useAction(async () => {
    const { discarded } = await call('dead-letters.discard', { params: { pipeline }, body });
    toast('ok', words.discarded(discarded));
    onChanged();
  });
  const fault = redrive.error ?? discard.error;
  return (
    <span className={styles.acts}>
      {fault !== undefined && (
        <span className={styles.fault} role="alert">
          {fault}
        </span>
      )}
      <IconButton size="small" icon={Copy} label={words.copyInput} onClick={() => copy(letter.input)} />
      {mayWrite && (
        <>
          <IconButton
            size="small"
            icon={Trash2}
            label={words.discardOne}
            disabled={discard.busy}
            onClick={() => void discard.run()}
          />
          <IconButton
            size="small"
            icon={RotateCcw}
            label={why ?? words.redriveOne}
            disabled={redrive.busy || why !== undefined}
            onClick={() => void redrive.run()}
          />
        </>
      )}
    </span>
  );
}

function copy(text: string): void {
  copyText(text).then(
    () => toast('ok', words.copied),
    (error: Error) => toast('error', error.message),
  );
}
