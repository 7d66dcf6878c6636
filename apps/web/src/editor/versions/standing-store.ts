/** How the open draft stands to what runs, worked out a moment after either changed. Framework-free. */
import type { PipelineDocument } from '@millrace/document';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DeployedStore } from '../deploy/deployed-store.ts';
import { type Standings, standingsOf } from './standings.ts';

export interface StandingState {
  /** Undefined: nothing is deployed, it is not known yet, or it is the deployed version that is shown. */
  readonly standings: Standings | undefined;
}

export interface StandingStore {
  readonly store: StoreApi<StandingState>;
  readonly close: () => void;
}

const QUIET_MS = 250;

export function openStandingStore(draft: PipelineDocument, deployed: DeployedStore): StandingStore {
  const store = createStore<StandingState>(() => ({ standings: undefined }));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const compare = (): void => {
    const { version } = deployed.store.getState();
    store.setState({ standings: version === undefined ? undefined : standingsOf(draft, version) });
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(compare, QUIET_MS);
  };
  compare();
  // Typing counts: code that is being changed is not the code that runs.
  draft.doc.on('update', soon);
  const stop = deployed.store.subscribe((now, before) => {
    if (now.version !== before.version) compare();
  });
  return {
    store,
    close: () => {
      clearTimeout(timer);
      draft.doc.off('update', soon);
      stop();
    },
  };
}

/** For a version: it is not compared with anything. */
export const noStandings = (): StandingStore => ({
  store: createStore<StandingState>(() => ({ standings: undefined })),
  close: () => undefined,
});
