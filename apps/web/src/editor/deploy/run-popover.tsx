import { ChevronDown, Cpu, OctagonX, Pause, Play, RefreshCw, RotateCcw, Square } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useMay, useMe } from '../../shell/session-store.ts';
import { deployWords } from '../../text/strings/deploy.ts';
import { runtimeWords } from '../../text/strings/runtime.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Popover } from '../../ui/popover.tsx';
import { RunStateBadge } from '../../ui/run-state.tsx';
import { WallTime } from '../../ui/time.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useDeployed, useEditor } from '../editor-context.tsx';
import { type Deployment, runningVersion } from './deployed-store.ts';
import { runActions, type Wish } from './run-actions.ts';
import styles from './run-popover.module.css';

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

const LOOKS = {
  pause: { icon: Pause, text: words.pause, about: words.pauseAbout },
  resume: { icon: Play, text: words.resume, about: words.resumeAbout },
  start: { icon: Play, text: words.start, about: words.startAbout },
  retry: { icon: RefreshCw, text: words.retry, about: words.retryAbout },
  stop: { icon: Square, text: words.stop, about: words.stopAbout },
  kill: { icon: OctagonX, text: words.kill, about: words.killAbout },
  rollback: { icon: RotateCcw, text: '', about: words.rollbackAbout },
} as const satisfies Record<Wish, { icon: typeof Pause; text: string; about: string }>;

interface ActionsProps {
  readonly deployment: Deployment;
  readonly onRollback: (version: number) => void;
  readonly onDone: () => void;
}

function Actions({ deployment, onRollback, onDone }: ActionsProps) {
  const { pipeline, deployed } = useEditor();
  const previous = useDeployed((state) => state.previous);
  const rights = { mayOperate: useMay('run.operate'), mayDeploy: useMay('run.deploy'), previous };
  const wishes = runActions(deployment, rights);
  const [asking, setAsking] = useState<Wish>();
  const act = (wish: Wish): void => {
    if (wish === 'rollback') {
      onDone();
      if (previous !== undefined) onRollback(previous);
      return;
    }
    setAsking(wish);
    ask(wish, pipeline).then(
      (now) => {
        deployed.set(now);
        onDone();
      },
      (error: unknown) => {
        setAsking(undefined);
        toast('error', messageOf(error));
      },
    );
  };
  if (!rights.mayOperate && !rights.mayDeploy) return <p className={styles.note}>{words.noActions}</p>;
  return (
    <ul className={styles.actions}>
      {wishes.map((wish) => {
        const { icon, text, about } = LOOKS[wish];
        return (
          <li key={wish}>
            <button
              type="button"
              className={styles.action}
              data-danger={wish === 'kill'}
              disabled={asking !== undefined}
              onClick={() => act(wish)}
            >
              <Icon of={icon} />
              <span>
                <strong>{wish === 'rollback' ? words.rollback(previous ?? 0) : text}</strong>
                <small>{about}</small>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const ask = (wish: Exclude<Wish, 'rollback'>, pipeline: string): Promise<Deployment> =>
  call(`deployments.${wish === 'retry' ? 'start' : wish}`, { params: { pipeline } });
