/** Cases of the editor that is open, for its parts. */
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { SharedDraft } from '../../document/shared-draft.ts';
import { useMay } from '../../shell/session-store.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { type Editor, useEditor } from '../editor-context.tsx';
import { type CaseRunner, type CaseState, caseRunner, type Ran, tryName } from './case-runner.ts';
import { type CaseFile, casesOfDraft, codeStamp } from './cases-of-draft.ts';

const runners = new WeakMap<SharedDraft, CaseRunner>();

/** One of each editor. */
export function runnerOf({ pipeline, draft }: Editor): CaseRunner {
  const found = runners.get(draft);
  if (found !== undefined) return found;
  const made = caseRunner({ pipeline, draft, stampOf: (name) => stampOf(draft, name) });
  runners.set(draft, made);
  return made;
}

/** What runs is the draft, also one that may not be changed: a sample's. */
export function useMayRun(): boolean {
  const may = useMay('graph.write');
  return useEditor().showing.kind === 'draft' && may;
}

export function useCaseState<T>(selector: (state: CaseState) => T): T {
  return useStore(runnerOf(useEditor()).store, selector);
}

function stampOf({ document }: SharedDraft, name: string): string {
  const file = casesOfDraft(document).find(({ path }) => path === name);
  if (file !== undefined) return JSON.stringify([file.text, codeStamp(document, file.node)]);
  return codeStamp(document, name.slice(tryName('').length));
}

/** Something of the draft that also typing changes; drawn again when it is another. */
function useOfDraft(read: (draft: SharedDraft) => string): string {
  const { draft } = useEditor();
  const subscribe = useCallback(
    (listener: () => void) => {
      draft.document.doc.on('update', listener);
      return () => draft.document.doc.off('update', listener);
    },
    [draft],
  );
  return useSyncExternalStore(subscribe, () => read(draft));
}

export function useCaseFiles(): readonly CaseFile[] {
  const all = useOfDraft(readCases);
  return useMemo(() => JSON.parse(all) as CaseFile[], [all]);
}

const readCases = ({ document }: SharedDraft): string => JSON.stringify(casesOfDraft(document));

/** What became of it, and whether that is of before. */
export function useRan(name: string): { readonly ran: Ran | undefined; readonly isOfBefore: boolean } {
  const ran = useCaseState((state) => state.ran.get(name));
  const stamp = useOfDraft(useCallback((draft: SharedDraft) => stampOf(draft, name), [name]));
  return { ran, isOfBefore: ran !== undefined && ran.stamp !== stamp };
}

const QUIET_MS = 350;

/** Runs whenever what its result depends on is another and has been still for a moment. */
export function useRunsAsTyped(name: string, text: string, run: () => Promise<void>, isOn: boolean): void {
  const stamp = useOfDraft(useCallback((draft: SharedDraft) => stampOf(draft, name), [name]));
  const still = useDebounced(`${stamp}\n${text}`, QUIET_MS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each state of what it depends on
  useEffect(() => {
    if (isOn) void run();
  }, [still, isOn]);
}
