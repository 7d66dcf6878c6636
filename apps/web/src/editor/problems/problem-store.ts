/**
 * What is wrong with the draft, worked out a moment after it changed: what merging broke and what the graph's rules
 * say of its folder form. Issues of code come from elsewhere and are added by `set`.
 */
import { withoutEchoes } from '@millrace/compiler/layout';
import { type PipelineDocument, toFolder } from '@millrace/document';
import { type Issue, type NodeTypes, readFolder, sortIssues, validateFolder } from '@millrace/graph';

export interface ProblemStore {
  /** The same list until something changed. */
  readonly issues: () => readonly Issue[];
  readonly subscribe: (listener: () => void) => () => void;
  /** Issues found by somebody else, such as the type check; they replace those of the same source. */
  readonly set: (source: string, issues: readonly Issue[]) => void;
  readonly close: () => void;
}

const QUIET_MS = 120;

export function createProblemStore(document: PipelineDocument, types: NodeTypes): ProblemStore {
  const listeners = new Set<() => void>();
  const others = new Map<string, readonly Issue[]>();
  let graph: readonly Issue[] = graphIssues(document, types);
  let all: readonly Issue[] = graph;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const gather = (): void => {
    all = sortIssues(withoutEchoes([...graph, ...[...others.values()].flat()]));
    for (const listener of listeners) listener();
  };
  const check = (): void => {
    graph = graphIssues(document, types);
    gather();
  };
  const stop = document.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(check, QUIET_MS);
  });
  return {
    issues: () => all,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set: (source, issues) => {
      others.set(source, issues);
      gather();
    },
    close: () => {
      clearTimeout(timer);
      stop();
      listeners.clear();
    },
  };
}

export function graphIssues(document: PipelineDocument, types: NodeTypes): readonly Issue[] {
  const { problems } = document.read();
  return sortIssues([...problems, ...validateFolder(readFolder(toFolder(document)), types)]);
}
