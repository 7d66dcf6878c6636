/** What every part of the editor reaches: the draft, its types, the view state, the live numbers. */

import type { Reading } from '@millrace/document';
import type { Issue, NodeTypes } from '@millrace/graph';
import { createContext, useContext, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { DraftState } from '../document/draft.ts';
import type { SharedDraft } from '../document/shared-draft.ts';
import type { CodeSide } from './code/open-code.ts';
import type { OpenLetters } from './dead-letters/open-letters.ts';
import type { Deployed, DeployedStore } from './deploy/deployed-store.ts';
import type { EditorActions } from './editor-actions.ts';
import type { EditorState, EditorStore } from './editor-store.ts';
import type { LiveStore } from './live/live-store.ts';
import type { ProblemStore } from './problems/problem-store.ts';
import type { StandingState, StandingStore } from './versions/standing-store.ts';

/** The draft, or a version that can only be looked at. */
export type Showing = { readonly kind: 'draft' } | { readonly kind: 'version'; readonly number: number };

export interface Editor {
  readonly pipeline: string;
  readonly showing: Showing;
  /** What is shown: the shared draft, or a version in the form of one. */
  readonly draft: SharedDraft;
  readonly types: NodeTypes;
  readonly store: EditorStore;
  readonly live: LiveStore;
  /** Dead letters that are still there. */
  readonly letters: OpenLetters;
  readonly problems: ProblemStore;
  readonly code: CodeSide;
  readonly actions: EditorActions;
  readonly canEdit: boolean;
  /** What runs. */
  readonly deployed: DeployedStore;
  /** How the draft stands to what runs. */
  readonly standings: StandingStore;
}

const Context = createContext<Editor | undefined>(undefined);
export const EditorProvider = Context.Provider;

export function useEditor(): Editor {
  const editor = useContext(Context);
  if (editor === undefined) throw new Error('used outside the editor');
  return editor;
}

export function useReading(): Reading {
  const { document } = useEditor().draft;
  return useSyncExternalStore(document.subscribe, document.read);
}

export function useEditorState<T>(selector: (state: EditorState) => T): T {
  return useStore(useEditor().store, selector);
}

export function useDraftState(): DraftState {
  const { draft } = useEditor();
  return useSyncExternalStore(draft.subscribe, draft.state);
}

export function useProblems(): readonly Issue[] {
  const { problems } = useEditor();
  return useSyncExternalStore(problems.subscribe, problems.issues);
}

/** What is shown of problems is of before: a check takes its time. */
export function useChecking(): boolean {
  const { problems } = useEditor();
  return useSyncExternalStore(problems.subscribe, problems.isChecking);
}

export function useDeployed<T>(selector: (deployed: Deployed) => T): T {
  return useStore(useEditor().deployed.store, selector);
}

export function useStandings<T>(selector: (state: StandingState) => T): T {
  return useStore(useEditor().standings.store, selector);
}
