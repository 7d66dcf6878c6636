import { ChevronDown, Cpu } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useMe } from '../../shell/session-store.ts';
import { deployWords } from '../../text/strings/deploy.ts';
import { runtimeWords } from '../../text/strings/runtime.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Popover } from '../../ui/popover.tsx';
import { RunStateBadge } from '../../ui/run-state.tsx';
import { WallTime } from '../../ui/time.tsx';
import { useEditor } from '../editor-context.tsx';
import { type Deployment, runningVersion } from './deployed-store.ts';
import styles from './run-popover.module.css';
import { useRunWishes } from './use-run-wishes.ts';
import { lookOfWish } from './wish-looks.ts';

const { controls: words } = deployWords;

export interface RunPopoverProps {
  /** Null: it was never deployed. */
  readonly deployment: Deployment | null;
  readonly onRollback: (version: number) => void;
}

/** The state in the bar; behind it since when and why, and what one can ask for. */
export function RunPopover({ deployment, onRollback }: RunPopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const state = deployment?.observed.state ?? 'none';
  return (
    <span role="status">
      <Popover
        label={words.state}
        align="end"
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <button type="button" className={styles.trigger}>
            <RunStateBadge state={state} bare />
            <Icon of={ChevronDown} size={14} />
          </button>
        }
      >
        <div className={styles.content}>
          {deployment === null ? (
            <p className={styles.note}>{words.noDeployment}</p>
          ) : (
            <>
              <Details deployment={deployment} />
              <RuntimeLink />
              <Actions deployment={deployment} onRollback={onRollback} onDone={() => setOpen(false)} />
            </>
          )}
        </div>
      </Popover>
    </span>
  );
}

function Details({ deployment }: { readonly deployment: Deployment }) {
  const { observed, workers, engine } = deployment;
  const rows: readonly (readonly [label: string, value: ReactNode])[] = [
    [words.version, runningVersion(deployment)],
    [words.since, <WallTime key="since" at={observed.since} as="ago" />],
    [words.workers, workers],
    ...(observed.retryAt === null
      ? []
      : [[words.retryAt, <WallTime key="retry" at={observed.retryAt} as="clock" />] as const]),
  ];
  return (
    <>
      <dl className={styles.facts}>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {engine === 'away' && <Notice tone="warn">{words.engineAway}</Notice>}
      {observed.reason && (
        <Notice tone={observed.state === 'failed' ? 'error' : 'warn'}>
          <span className={styles.reason}>{observed.reason}</span>
        </Notice>
      )}
    </>
  );
}

function RuntimeLink() {
  const { pipeline } = useEditor();
  const { workspace } = useMe();
  return (
    <Link className={styles.runtime} to={`/w/${workspace.id}/p/${pipeline}/runtime`}>
      <Icon of={Cpu} /> {runtimeWords.runtime}
    </Link>
  );
}

interface ActionsProps {
  readonly deployment: Deployment;
  readonly onRollback: (version: number) => void;
  readonly onDone: () => void;
}

function Actions({ deployment, onRollback, onDone }: ActionsProps) {
  const { wishes, previous, mayAct, isAsking, act } = useRunWishes(deployment, { onRollback, onDone });
  if (!mayAct) return <p className={styles.note}>{words.noActions}</p>;
  return (
    <ul className={styles.actions}>
      {wishes.map((wish) => {
        const { icon, text, about } = lookOfWish(wish, previous);
        return (
          <li key={wish}>
            <button
              type="button"
              className={styles.action}
              data-danger={wish === 'kill'}
              disabled={isAsking}
              onClick={() => act(wish)}
            >
              <Icon of={icon} />
              <span>
                <strong>{text}</strong>
                <small>{about}</small>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
