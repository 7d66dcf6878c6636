/** Puts an editor together: the draft, what is wrong with it, the live numbers, what one can do. */
import { connectorSpecs } from '@millrace/connectors/specs';
import type { PipelineDocument } from '@millrace/document';
import { type NodeTypes, nodeTypes } from '@millrace/graph';
import type { SharedDraft } from '../document/shared-draft.ts';
import { toast } from '../ui/toast-store.ts';
import { type CodeSide, openCode } from './code/open-code.ts';
import { findPlace } from './dead-letters/code-place.ts';
import { openLetters } from './dead-letters/open-letters.ts';
import type { DeployedStore } from './deploy/deployed-store.ts';
import { createActions } from './editor-actions.ts';
import type { Editor, Showing } from './editor-context.tsx';
import { createEditorStore, forget, select } from './editor-store.ts';
import { createLiveStore } from './live/live-store.ts';
import { createProblemStore } from './problems/problem-store.ts';
import { noStandings, openStandingStore } from './versions/standing-store.ts';

export const TYPES: NodeTypes = nodeTypes(connectorSpecs);

export interface OpenedEditor extends Editor {
  readonly close: () => void;
}

export interface EditorWanted {
  readonly pipeline: string;
  readonly showing: Showing;
  readonly draft: SharedDraft;
  readonly canEdit: boolean;
  readonly deployed: DeployedStore;
}

/** Owns all but the draft and what runs, which outlive it. */
export function openEditor({ pipeline, showing, draft, canEdit, deployed }: EditorWanted): OpenedEditor {
  const store = createEditorStore();
  const live = createLiveStore((paint) => void requestAnimationFrame(paint));
  const letters = openLetters(pipeline, live);
  const problems = createProblemStore(draft.document, TYPES);
  const code = openCode({ draft, types: TYPES, problems });
  const standings = showing.kind === 'draft' ? openStandingStore(draft.document, deployed) : noStandings();
  const actions = createActions({ draft, types: TYPES, store, tell: toast, clipboard });
  const stop = draft.document.subscribe(() => {
    const { pipeline: graph, layout } = draft.document.read();
    forget(
      store,
      (id) => graph.nodes.has(id) || graph.streams.has(id) || layout.notes.has(id) || layout.groups.has(id),
    );
  });
  const asked = new URLSearchParams(location.search).get('node');
  if (asked !== null && draft.document.read().pipeline.nodes.has(asked)) select(store, { nodes: [asked] });
  openAskedCode(draft.document, code);
  const stopAddress = store.subscribe(({ nodes }) =>
    keepAddress(nodes.size === 1 ? [...nodes][0] : undefined),
  );
  return {
    pipeline,
    showing,
    draft,
    types: TYPES,
    store,
    live,
    letters,
    problems,
    code,
    actions,
    canEdit,
    deployed,
    standings,
    close: () => {
      standings.close();
      letters.close();
      stop();
      stopAddress();
      code.close();
      problems.close();
    },
  };
}

/** `?code=nodes/parse.ts:4:11`, to which one may be led from elsewhere: once, what is open then is somebody's own affair. */
function openAskedCode(document: PipelineDocument, code: CodeSide): void {
  const url = new URL(location.href);
  const found = findPlace(url.searchParams.get('code'), document);
  if (found === undefined) return;
  code.open(found.id, found.at);
  url.searchParams.delete('code');
  history.replaceState(history.state, '', url);
}

/** The selected node stands in the address: a link and a reload lead to it. */
function keepAddress(node: string | undefined): void {
  const url = new URL(location.href);
  if ((url.searchParams.get('node') ?? undefined) === node) return;
  if (node === undefined) url.searchParams.delete('node');
  else url.searchParams.set('node', node);
  history.replaceState(history.state, '', url);
}

/** Absent on plain http at another machine: then what was copied stays in this page. */
const clipboard = {
  write: (text: string): void => void navigator.clipboard?.writeText(text).catch(() => undefined),
  read: async (): Promise<string | undefined> => navigator.clipboard?.readText?.().catch(() => undefined),
};
