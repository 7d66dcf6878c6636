/**
 * What runs of the open pipeline: what was asked for and what the engine does, and the version itself as a document
 * to look at and to compare with. Asked for once, and again whenever the engine says that it does something else.
 */
import type { PipelineDocument } from '@millrace/document';
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { call } from '../../api/call.ts';
import { documentOfFiles } from '../../document/version-draft.ts';
import { watchView } from '../../sockets/watch-view.ts';

export type Deployment = AnswerOf<RouteOf<'deployments.get'>>;

export interface DeployedVersion {
  readonly number: number;
  readonly document: PipelineDocument;
}

export interface Deployed {
  /** Null: it was never deployed; undefined: not known yet. */
  readonly deployment: Deployment | null | undefined;
  /** The version that runs, or would be started; undefined until it is here. */
  readonly version: DeployedVersion | undefined;
  /** What ran before the last deploy; undefined: nothing did. */
  readonly previous: number | undefined;
}

export interface DeployedStore {
  readonly store: StoreApi<Deployed>;
  /** The answer to a wish: what is true now. */
  readonly set: (deployment: Deployment) => void;
  readonly close: () => void;
}

/** What runs; before anything does, what was asked for. */
export const runningVersion = ({ observed, version }: Deployment): number => observed.version ?? version;

export function openDeployedStore(pipeline: string): DeployedStore {
  const store = createStore<Deployed>(() => ({
    deployment: undefined,
    version: undefined,
    previous: undefined,
  }));
  const params = { pipeline };
  let wanted: number | undefined;
  let closed = false;

  const loadVersion = async (number: number): Promise<void> => {
    if (wanted === number) return;
    wanted = number;
    try {
      const { files } = await call('versions.files', { params: { pipeline, version: number } });
      if (closed || wanted !== number) return;
      const before = store.getState().version;
      store.setState({ version: { number, document: documentOfFiles(files) } });
      before?.document.close();
    } catch {
      // The next word from the engine asks again.
      if (wanted === number) wanted = undefined;
    }
  };
  const loadPrevious = async (): Promise<void> => {
    try {
      const { items } = await call('deployments.history', { params, query: { limit: 1 } });
      if (!closed) store.setState({ previous: items[0]?.previous ?? undefined });
    } catch {
      // Without it nothing is offered to go back to.
    }
  };
  const set = (deployment: Deployment | null): void => {
    if (closed) return;
    const before = store.getState().deployment;
    store.setState({ deployment });
    if (deployment === null) return;
    void loadVersion(runningVersion(deployment));
    if (before?.version !== deployment.version) void loadPrevious();
  };
  const load = async (): Promise<void> => {
    try {
      const entry = await call('pipelines.get', { params });
      set(entry.deployment === null ? null : await call('deployments.get', { params }));
    } catch {
      // What was known stays; the next word from the engine asks again.
    }
  };

  void load();
  let last: string | undefined;
  const stop = watchView(pipeline, ({ state }) => {
    const now = state && `${state.state} ${state.revision} ${state.version}`;
    if (now === last) return;
    last = now;
    void load();
  });
  return {
    store,
    set,
    close: () => {
      closed = true;
      stop();
      store.getState().version?.document.close();
    },
  };
}
