/**
 * What is wrong with the draft, worked out a moment after it changed: what merging broke and what the graph's rules
 * say of its folder form. Issues of code come from elsewhere and are added by `set`.
 */
import { withoutEchoes } from '@millrace/compiler/layout';
import type { PipelineDocument } from '@millrace/document';
import { type Issue, type NodeTypes, sortIssues } from '@millrace/graph';
import { whenLate } from '../late.ts';
import { graphChecker, type OpenHelper, openCheckWorker } from './graph-checker.ts';

export interface ProblemStore {
  /** The same list until something changed. */
  readonly issues: () => readonly Issue[];
  /** The list is of before: a check takes its time. */
  readonly isChecking: () => boolean;
  readonly subscribe: (listener: () => void) => () => void;
  /** Issues found by somebody else, such as the type check; they replace those of the same source. */
  readonly set: (source: string, issues: readonly Issue[]) => void;
  /** Somebody else's check takes its time, or is done. */
  readonly setChecking: (source: string, isChecking: boolean) => void;
  readonly close: () => void;
}

const QUIET_MS = 120;
const GRAPH = 'graph';

export function createProblemStore(
  document: PipelineDocument,
  types: NodeTypes,
  openHelper: OpenHelper = openCheckWorker,
): ProblemStore {
  const listeners = new Set<() => void>();
  const found = new Map<string, readonly Issue[]>();
  const checking = new Set<string>();
  let all: readonly Issue[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const set = (source: string, issues: readonly Issue[]): void => {
    found.set(source, issues);
    all = sortIssues(withoutEchoes([...found.values()].flat()));
    tell();
  };
  const setChecking = (source: string, isChecking: boolean): void => {
    if (checking.has(source) === isChecking) return;
    if (isChecking) checking.add(source);
    else checking.delete(source);
    tell();
  };
  const late = whenLate((isLate) => setChecking(GRAPH, isLate));
  const checker = graphChecker({
    document,
    types,
    openHelper,
    found: (issues) => {
      late.end();
      set(GRAPH, issues);
    },
  });
  checker.check();
  const stop = document.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      checker.check();
      if (checker.isBusy()) late.begin();
    }, QUIET_MS);
  });
  return {
    issues: () => all,
    isChecking: () => checking.size > 0,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set,
    setChecking,
    close: () => {
      clearTimeout(timer);
      late.end();
      stop();
      checker.close();
      listeners.clear();
    },
  };
}
