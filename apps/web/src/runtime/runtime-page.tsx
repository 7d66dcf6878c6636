import { ChevronLeft } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { useNavigate, useParams } from 'react-router';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { useMe } from '../shell/session-store.ts';
import { formatBytes, formatCount, formatRate } from '../text/format-number.ts';
import { formatSpan } from '../text/format-time.ts';
import { runtimeWords as words } from '../text/strings/runtime.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { RunStateBadge } from '../ui/run-state.tsx';
import { WallTime } from '../ui/time.tsx';
import { useTitle } from '../ui/use-title.ts';
import { BusiestKeys } from './busiest-keys.tsx';
import { IntervalTable } from './interval-table.tsx';
import { Remembered } from './remembered.tsx';
import styles from './runtime-page.module.css';
import { Servers } from './servers.tsx';
import type { Runtime } from './slowest-watermark.ts';
import { useNodeNames } from './use-node-names.ts';
import { type State, useRuntime } from './use-runtime.ts';
import { WorkerTable } from './worker-table.tsx';

/** `/w/<workspace>/p/<pipeline>/runtime`: what runs it: workers, intervals, commits, folds. */
export function RuntimePage() {
  const { pipeline = '' } = useParams();
  const { workspace } = useMe();
  const navigate = useNavigate();
  const entry = useLoad(
    useCallback((signal: AbortSignal) => call('pipelines.get', { params: { pipeline }, signal }), [pipeline]),
  );
  const name = entry.kind === 'ready' ? entry.value.name : '';
  const { runtime, before, state } = useRuntime(pipeline);
  const isShown = runtime.kind === 'ready' && runtime.value !== undefined;
  useTitle(words.title(name));
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <Button
          size="small"
          look="quiet"
          flush
          icon={ChevronLeft}
          onClick={() => void navigate(`/w/${workspace.id}/p/${pipeline}`)}
        >
          {words.back}
        </Button>
        <h1>{words.title(name)}</h1>
        {isShown && state !== undefined && <RunStateBadge state={state} />}
      </header>
      {runtime.kind === 'failed' && isNotRunning(runtime.error) ? (
        <Rests state={state} />
      ) : (
        <LoadState of={runtime} lines={4}>
          {(now) =>
            now === undefined ? (
              <Rests state={state} />
            ) : (
              <>
                {now.imbalances.length > 0 && (
                  <div className={styles.notice}>
                    <Notice tone="error" title={words.imbalance}>
                      {words.imbalanceAbout}
                      <ul>
                        {now.imbalances.map((text) => (
                          <li key={text}>{text}</li>
                        ))}
                      </ul>
                    </Notice>
                  </div>
                )}
                <Facts runtime={now} />
                <ByNode runtime={now} before={before} pipeline={pipeline} />
                <Servers servers={now.servers} />
              </>
            )
          }
        </LoadState>
      )}
    </main>
  );
}

/** No fault: there is nothing to show. */
const isNotRunning = (error: unknown): boolean => error instanceof ApiError && error.code === 'not-running';

function Rests({ state }: { readonly state: State | undefined }) {
  return (
    <EmptyState
      picture={state !== undefined && <RunStateBadge state={state} />}
      title={state === 'starting' ? words.starting : words.notRunning}
      isFramed
    >
      {state === 'starting' ? words.startingAbout : words.notRunningAbout}
    </EmptyState>
  );
}

interface ByNodeProps {
  readonly runtime: Runtime;
  readonly before: Runtime | undefined;
  readonly pipeline: string;
}

/** What speaks of nodes by their names, which are fetched once. */
function ByNode({ runtime, before, pipeline }: ByNodeProps) {
  const names = useNodeNames(pipeline, runtime.version);
  return (
    <>
      <WorkerTable pipeline={pipeline} runtime={runtime} before={before} names={names} />
      <IntervalTable pipeline={pipeline} runtime={runtime} names={names} />
      <BusiestKeys runtime={runtime} names={names} />
      <Remembered runtime={runtime} names={names} />
    </>
  );
}

function Facts({ runtime }: { readonly runtime: Runtime }) {
  const { commits, folds, weak } = runtime;
  const span = (ms: number | undefined): string => (ms === undefined ? words.unknown : formatSpan(ms));
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    [words.version, runtime.version],
    [words.since, <WallTime key="since" at={runtime.since} />],
    [words.bundles, formatRate(Math.round(commits.bundleRate * 10) / 10)],
    [
      words.recordsPerBundle,
      commits.recordsPerBundle === undefined
        ? words.unknown
        : formatCount(Math.round(commits.recordsPerBundle * 10) / 10),
    ],
    [words.commit, [commits.p50Ms, commits.p95Ms, commits.p99Ms].map(span).join(' · ')],
    [words.unfolded, formatBytes(runtime.unfoldedBytes)],
    [words.undelivered, formatBytes(runtime.undeliveredBytes)],
    ...(weak === undefined
      ? []
      : [[words.weak, words.weakOf(formatCount(weak.early), formatCount(weak.checkpointed))] as const]),
    [
      words.folds,
      folds.lastMs === undefined
        ? formatCount(folds.count)
        : `${formatCount(folds.count)} · ${words.lastFold(span(folds.lastMs))}`,
    ],
    [words.sequencer, runtime.sequencer],
  ];
  return (
    <dl className={styles.facts} aria-label={words.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
