/** What runs of the open pipeline: asked for once, and again whenever the engine says that it does something else. */
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { useCallback, useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { watchView } from '../../sockets/watch-view.ts';

export type Deployment = AnswerOf<RouteOf<'deployments.get'>>;

export interface Running {
  /** Null: it was never deployed; undefined: not known yet. */
  readonly deployment: Deployment | null | undefined;
  readonly set: (deployment: Deployment) => void;
}

export function useDeployment(pipeline: string): Running {
  const [deployment, set] = useState<Deployment | null>();
  const load = useCallback(async () => {
    const params = { pipeline };
    try {
      const entry = await call('pipelines.get', { params });
      set(entry.deployment === null ? null : await call('deployments.get', { params }));
    } catch {
      // What was known stays; the next word from the engine asks again.
    }
  }, [pipeline]);
  useEffect(() => {
    void load();
    let last: string | undefined;
    return watchView(pipeline, ({ state }) => {
      const now = state && `${state.state} ${state.revision} ${state.version}`;
      if (now === last) return;
      last = now;
      void load();
    });
  }, [pipeline, load]);
  return { deployment, set };
}
