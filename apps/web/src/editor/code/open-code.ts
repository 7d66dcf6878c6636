/**
 * The code side of an open editor: which code is shown, and the check of all of it. Monaco is fetched when the page
 * has nothing better to do, or when code is opened; until the first check is done, problems say so.
 */
import type { NodeTypes } from '@millrace/graph';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { SharedDraft } from '../../document/shared-draft.ts';
import { panesStore } from '../panes-store.ts';
import type { ProblemStore } from '../problems/problem-store.ts';
import { type CodeFindings, type CodeProject, openCodeProject } from './code-project.ts';
import { loadMonaco } from './load-monaco.ts';
import type { RenamedOutput } from './renamed-outputs.ts';

type Monaco = Awaited<ReturnType<typeof loadMonaco>>;

/** The parts of the drawer. */
export type DrawerTab = 'problems' | 'code' | 'records' | 'dead-letters' | 'logs' | 'metrics';

/** Counted from 1. */
export interface CodePlace {
  readonly line: number;
  readonly column: number;
}

export interface CodeState {
  /** The node or shared file whose code is shown. */
  readonly opened: string | undefined;
  /** Where in it somebody wants to be. */
  readonly at: CodePlace | undefined;
  /** Which part of the drawer is shown. */
  readonly tab: DrawerTab;
  readonly ready: { readonly loaded: Monaco; readonly project: CodeProject } | undefined;
  readonly failed: boolean;
  /** Nothing is known of the code yet. */
  readonly checking: boolean;
  /** What flows on a stream, by its id; empty until the first check is done. */
  readonly types: ReadonlyMap<string, string>;
  /** Outputs that have another name in the code than where their streams are drawn. */
  readonly renamed: readonly RenamedOutput[];
}

export interface CodeSide {
  readonly store: StoreApi<CodeState>;
  readonly open: (id: string, at?: CodePlace) => void;
  readonly close: () => void;
}

export interface CodeSideOptions {
  readonly draft: SharedDraft;
  readonly types: NodeTypes;
  readonly problems: ProblemStore;
}

const LOAD_AFTER_MS = 600;

export function openCode({ draft, types, problems }: CodeSideOptions): CodeSide {
  const store = createStore<CodeState>(() => ({
    opened: undefined,
    at: undefined,
    tab: panesStore.getState().drawerTab,
    ready: undefined,
    failed: false,
    checking: true,
    types: new Map(),
    renamed: [],
  }));
  let closed = false;
  const load = (): void => {
    loadMonaco().then(
      (loaded) => {
        if (closed || store.getState().ready !== undefined) return;
        const found = (findings: CodeFindings | undefined): void => {
          if (findings === undefined) return store.setState({ checking: true });
          problems.set('code', findings.issues);
          const { types, renamed } = findings;
          store.setState({ checking: false, types, renamed });
        };
        const late = (isLate: boolean): void => problems.setChecking('code', isLate);
        store.setState({
          ready: { loaded, project: openCodeProject({ loaded, draft, types, found, late }) },
          failed: false,
        });
      },
      () => store.setState({ failed: true }),
    );
  };
  const timer = setTimeout(load, LOAD_AFTER_MS);
  return {
    store,
    open: (id, at) => {
      store.setState({ opened: id, at, tab: 'code' });
      load();
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
      store.getState().ready?.project.close();
    },
  };
}
