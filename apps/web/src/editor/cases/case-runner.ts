/**
 * Runs cases on the server, for one open editor: its worker there takes one question at a time, so questions stand in
 * line here. Framework-free.
 *
 * CR1 What is asked about is what is drawn: edits on their way are sent first.
 * CR2 Of several questions about the same thing that wait, only the last is asked.
 */
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import type { SharedDraft } from '../../document/shared-draft.ts';
import type { CaseStep } from './case-text.ts';

type Done = Extract<AnswerOf<RouteOf<'cases.run'>>, { kind: 'done' }>;
export type CaseResult = Done['results'][number];

export interface Ran {
  readonly result: CaseResult;
  /** `stampOf` when it was asked: where it is another now, the result is of before. */
  readonly stamp: string;
}

export interface CaseState {
  /** By path of the file, and of what is tried by `tryName`. */
  readonly ran: ReadonlyMap<string, Ran>;
  readonly running: ReadonlySet<string>;
  /** How many editors are before this one. */
  readonly queued: number | undefined;
  /** Why the last question got no answer. */
  readonly error: string | undefined;
  /** What somebody tries on a node. */
  readonly tries: ReadonlyMap<string, readonly CaseStep[]>;
}

export interface CaseRunner {
  readonly store: StoreApi<CaseState>;
  readonly run: (paths: readonly string[]) => Promise<void>;
  readonly tryOut: (node: string, text: string) => Promise<void>;
  readonly setTry: (node: string, steps: readonly CaseStep[]) => void;
}

export interface RunnerOptions {
  readonly pipeline: string;
  readonly draft: Pick<SharedDraft, 'flush'>;
  /** What the result of it depends on, as text. */
  readonly stampOf: (name: string) => string;
  readonly wait?: (ms: number) => Promise<void>;
}

export const tryName = (node: string): string => `try ${node}`;

const AGAIN_MS = 600;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function caseRunner({ pipeline, draft, stampOf, wait = sleep }: RunnerOptions): CaseRunner {
  const store = createStore<CaseState>(() => ({
    ran: new Map(),
    running: new Set(),
    queued: undefined,
    error: undefined,
    tries: new Map(),
  }));
  const editor = Math.random().toString(36).slice(2);
  const newest = new Map<string, number>();
  let asked = 0;
  let last: Promise<void> = Promise.resolve();

  const answered = async (body: Omit<Parameters<typeof ask>[0], 'editor'>): Promise<Done> => {
    for (;;) {
      const answer = await ask({ ...body, editor });
      if (answer?.kind === 'done') return answer;
      if (answer !== undefined) store.setState({ queued: answer.ahead });
      await wait(AGAIN_MS);
    }
  };
  /** Undefined: not now. */
  const ask = (body: {
    readonly editor: string;
    readonly paths?: string[];
    readonly try?: { readonly node: string; readonly text: string };
  }) =>
    call('cases.run', { params: { pipeline }, body }).catch((error: unknown) => {
      if (error instanceof ApiError && (error.code === 'case-running' || error.code === 'checks-waiting'))
        return undefined;
      throw error;
    });

  const inTurn = (names: readonly string[], work: () => Promise<readonly (readonly [string, Ran])[]>) => {
    asked += 1;
    const number = asked;
    for (const name of names) newest.set(name, number);
    const isOver = (): boolean => names.every((name) => newest.get(name) !== number);
    const turn = async (): Promise<void> => {
      if (isOver()) return;
      store.setState({ running: new Set(names), error: undefined });
      try {
        const found = await work();
        store.setState(({ ran }) => ({ ran: new Map([...ran, ...found]) }));
      } catch (error) {
        store.setState({ error: messageOf(error) });
      } finally {
        store.setState({ running: new Set(), queued: undefined });
      }
    };
    last = last.then(turn);
    return last;
  };

  return {
    store,
    run: (paths) =>
      inTurn(paths, async () => {
        await draft.flush();
        const stamps = new Map(paths.map((path) => [path, stampOf(path)]));
        const { results } = await answered({ paths: [...paths] });
        return results.map((result) => [
          result.path ?? '',
          { result, stamp: stamps.get(result.path ?? '') ?? '' },
        ]);
      }),
    tryOut: (node, text) =>
      inTurn([tryName(node)], async () => {
        await draft.flush();
        const stamp = stampOf(tryName(node));
        const { results } = await answered({ try: { node, text } });
        const [result] = results;
        return result === undefined ? [] : [[tryName(node), { result, stamp }]];
      }),
    setTry: (node, steps) => store.setState(({ tries }) => ({ tries: new Map([...tries, [node, steps]]) })),
  };
}
