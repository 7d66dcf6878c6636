import { Check, CircleDashed, CircleX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMay } from '../../shell/session-store.ts';
import { watchView } from '../../sockets/watch-view.ts';
import { formatClock } from '../../text/format-time.ts';
import { deployWords } from '../../text/strings/deploy.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { WallTime } from '../../ui/time.tsx';
import { useEditor } from '../editor-context.tsx';
import { type Observed, type Outcome, outcomeOf, type Wanted, withObserved } from './progress.ts';
import styles from './progress-step.module.css';

const { progress: words, dialog } = deployWords;

export interface ProgressStepProps {
  readonly wanted: Wanted;
  /** What ran before: the way back where this fails. */
  readonly from: number | undefined;
  readonly onClose: () => void;
  readonly onRollback: (version: number) => void;
}

/** The states a deploy goes through, as the engine tells them, until it runs or says why not. */
export function ProgressStep({ wanted, from, onClose, onRollback }: ProgressStepProps) {
  const { pipeline } = useEditor();
  const mayDeploy = useMay('run.deploy');
  const [asked] = useState(() => Date.now());
  const [seen, setSeen] = useState<readonly Observed[]>([]);
  useEffect(
    () =>
      watchView(pipeline, ({ state }) => {
        if (state !== undefined) setSeen((before) => withObserved(before, state));
      }),
    [pipeline],
  );
  const outcome = outcomeOf(seen, wanted);
  const goesBack = outcome === 'failed' && from !== undefined && from !== wanted.version && mayDeploy;
  return (
    <Dialog
      open
      onClose={onClose}
      title={dialog.progressTitle(wanted.version)}
      about={outcome === 'under-way' ? words.background : undefined}
      width="medium"
      actions={
        <>
          {goesBack && <Button onClick={() => onRollback(from)}>{words.rollback(from)}</Button>}
          <Button look={outcome === 'under-way' ? 'plain' : 'primary'} onClick={onClose}>
            {dialog.close}
          </Button>
        </>
      }
    >
      <ol className={styles.steps} aria-label={words.label}>
        <li className={styles.step}>
          <Icon of={Check} size={14} />
          <span>{words.wanted(wanted.version)}</span>
          <WallTime at={asked} as="clock" />
        </li>
        {seen.map((state, i) => (
          <Step
            key={`${state.state} ${state.version} ${state.since} ${state.reason}`}
            of={state}
            isLast={i === seen.length - 1}
            outcome={outcome}
          />
        ))}
        {seen.length === 0 && (
          <li className={styles.step}>
            <Spinner />
            <span>{words.waiting}</span>
          </li>
        )}
      </ol>
      <End outcome={outcome} wanted={wanted} last={seen.at(-1)} goesBack={goesBack} />
    </Dialog>
  );
}

interface StepProps {
  readonly of: Observed;
  readonly isLast: boolean;
  readonly outcome: Outcome;
}

function Step({ of: { state, version, since }, isLast, outcome }: StepProps) {
  const isNow = isLast && outcome === 'under-way';
  const text = words.states[state];
  return (
    <li className={styles.step} data-state={state}>
      {isNow ? <Spinner /> : <Icon of={iconOf(state)} size={14} />}
      <span>{version === undefined ? text : words.ofVersion(text, version)}</span>
      <WallTime at={since} as="clock" />
    </li>
  );
}

const iconOf = (state: Observed['state']) =>
  state === 'failed' ? CircleX : state === 'stopped' ? CircleDashed : Check;

interface EndProps {
  readonly outcome: Outcome;
  readonly wanted: Wanted;
  readonly last: Observed | undefined;
  /** There is a version to go back to. */
  readonly goesBack: boolean;
}

function End({ outcome, wanted: { version }, last, goesBack }: EndProps) {
  switch (outcome) {
    case 'under-way':
      return last?.reason ? <Notice tone="warn">{last.reason}</Notice> : null;
    case 'done':
      return (
        <Notice tone={last?.reason ? 'warn' : 'ok'} title={words.done(version)}>
          {last?.reason}
        </Notice>
      );
    case 'paused':
      return <Notice tone="info">{words.paused(version)}</Notice>;
    case 'ended':
      return <Notice tone="ok">{words.ended(version)}</Notice>;
    case 'overtaken':
      return <Notice tone="info">{words.overtaken}</Notice>;
    case 'failed':
      return (
        <Notice tone="error" title={words.failed(version)}>
          <p className={styles.reason}>{last?.reason}</p>
          <p>{remedyOf(last, goesBack)}</p>
        </Notice>
      );
  }
}

function remedyOf(last: Observed | undefined, goesBack: boolean): string {
  const parts = [
    last?.retryAt === undefined ? '' : words.failedRetry(formatClock(last.retryAt)),
    words.failedRemedy,
    goesBack ? words.failedWayBack : '',
  ];
  return parts.filter(Boolean).join(' ');
}
