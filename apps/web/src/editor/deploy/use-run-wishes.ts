/** What one may ask of what runs, and how it is asked: for the menu in the bar and for the command palette. */
import { useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useMay } from '../../shell/session-store.ts';
import { toast } from '../../ui/toast-store.ts';
import { useDeployed, useEditor } from '../editor-context.tsx';
import type { Deployment } from './deployed-store.ts';
import { runActions, type Wish } from './run-actions.ts';

export interface RunWishes {
  readonly wishes: readonly Wish[];
  /** What ran before the last deploy. */
  readonly previous: number | undefined;
  /** False: one may look only. */
  readonly mayAct: boolean;
  readonly isAsking: boolean;
  readonly act: (wish: Wish) => void;
}

export interface RunWishesOptions {
  readonly onRollback: (version: number) => void;
  readonly onDone?: () => void;
}

export function useRunWishes(
  deployment: Deployment | null | undefined,
  { onRollback, onDone }: RunWishesOptions,
): RunWishes {
  const { pipeline, deployed } = useEditor();
  const previous = useDeployed((state) => state.previous);
  const rights = { mayOperate: useMay('run.operate'), mayDeploy: useMay('run.deploy'), previous };
  const [asking, setAsking] = useState(false);
  const act = (wish: Wish): void => {
    if (wish === 'rollback') {
      onDone?.();
      if (previous !== undefined) onRollback(previous);
      return;
    }
    setAsking(true);
    ask(wish, pipeline)
      .then(
        (now) => {
          deployed.set(now);
          onDone?.();
        },
        (error: unknown) => toast('error', messageOf(error)),
      )
      .finally(() => setAsking(false));
  };
  return {
    wishes: deployment ? runActions(deployment, rights) : [],
    previous,
    mayAct: rights.mayOperate || rights.mayDeploy,
    isAsking: asking,
    act,
  };
}

const ask = (wish: Exclude<Wish, 'rollback'>, pipeline: string): Promise<Deployment> =>
  call(`deployments.${wish === 'retry' ? 'start' : wish}`, { params: { pipeline } });
