/**
 * The code side of an open editor: which code is shown, and the check of all of it. Monaco is fetched when the page
 * has nothing better to do, or when code is opened; until the first check is done, problems say so.
 */
import type { Issue, NodeTypes } from '@millrace/graph';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { call } from '../../api/call.ts';
import type { SharedDraft } from '../../document/shared-draft.ts';
import { graphIssues, type ProblemStore } from '../problems/problem-store.ts';
import { type CodeProject, openCodeProject } from './code-project.ts';
import { loadMonaco } from './load-monaco.ts';

type Monaco = Awaited<ReturnType<typeof loadMonaco>>;

export interface CodeState {
  /** The node or shared file whose code is shown. */
  readonly opened: string | undefined;
  readonly tab: 'problems' | 'code';
  readonly ready: { readonly loaded: Monaco; readonly project: CodeProject } | undefined;
  readonly failed: boolean;
  /** Nothing is known of the code yet. */
  readonly checking: boolean;
}

export interface CodeSide {
  readonly store: StoreApi<CodeState>;
  readonly open: (id: string) => void;
  readonly close: () => void;
}

export interface CodeSideOptions {
  readonly pipeline: string;
  readonly draft: SharedDraft;
  readonly types: NodeTypes;
  readonly problems: ProblemStore;
}

const LOAD_AFTER_MS = 600;
const SERVER_AFTER_MS = 2_000;

export function openCode({ pipeline, draft, types, problems }: CodeSideOptions): CodeSide {
  const store = createStore<CodeState>(() => ({
    opened: undefined,
    tab: 'problems',
    ready: undefined,
    failed: false,
    checking: hasCode(draft),
  }));
  let closed = false;
  const load = (): void => {
    loadMonaco().then(
      (loaded) => {
        if (closed || store.getState().ready !== undefined) return;
        const found = (issues: readonly Issue[] | undefined): void => {
          if (issues !== undefined) problems.set('code', issues);
          store.setState({ checking: issues === undefined });
        };
        store.setState({
          ready: { loaded, project: openCodeProject({ loaded, draft, types, found }) },
          failed: false,
        });
      },
      () => store.setState({ failed: true }),
    );
  };
  const timer = setTimeout(load, LOAD_AFTER_MS);
  const stopServer = checkOnServer({ pipeline, draft, types, problems });
  return {
    store,
    open: (id) => {
      store.setState({ opened: id, tab: 'code' });
      load();
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
      stopServer();
      store.getState().ready?.project.close();
    },
  };
}

const hasCode = ({ document }: SharedDraft): boolean =>
  [...document.read().pipeline.nodes.values()].some(({ type }) => type === 'code');

/** What only the server's check finds, such as ports the code does not have: asked for when an edit is stored. */
function checkOnServer({ pipeline, draft, types, problems }: CodeSideOptions): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;
  const ask = async (): Promise<void> => {
    if (draft.state().save.kind === 'saving') return soon();
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    try {
      const { issues } = await call('draft.check', { params: { pipeline }, signal });
      const known = new Set(graphIssues(draft.document, types).map(identityOf));
      const more = (issues as readonly Issue[]).filter(
        (issue) => !issue.code.startsWith('ts') && !known.has(identityOf(issue)),
      );
      if (!signal.aborted) problems.set('server', more);
    } catch {
      // Busy or away: the next edit asks again, and a deploy checks in any case.
    }
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), SERVER_AFTER_MS);
  };
  soon();
  draft.document.doc.on('update', soon);
  return () => {
    clearTimeout(timer);
    asking?.abort();
    draft.document.doc.off('update', soon);
  };
}

const identityOf = ({ code, node, stream, message }: Issue): string =>
  JSON.stringify([code, node, stream, message]);
