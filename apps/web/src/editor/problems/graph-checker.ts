/**
 * Checks the graph of a draft: in place while that is quick, in a worker once it took so long that typing or dragging
 * would stutter.
 *
 * Invariants
 *   GC1  the newest question's answer is the one that is told; older ones are dropped.
 *   GC2  a worker that fails is not asked again: the check goes on in place.
 */
import type { PipelineDocument } from '@millrace/document';
import type { Issue, NodeTypes } from '@millrace/graph';
import { type Feed, feedOf } from '../../document/replica.ts';
import { graphIssues } from './graph-issues.ts';

export interface CheckQuestion {
  readonly round: number;
  /** Since the last question. */
  readonly updates: readonly Uint8Array[];
}

export interface CheckAnswer {
  readonly round: number;
  readonly issues: readonly Issue[];
}

/** A worker that answers. */
export interface CheckHelper {
  readonly ask: (question: CheckQuestion) => void;
  readonly close: () => void;
}

export type OpenHelper = (answered: (answer: CheckAnswer) => void, failed: () => void) => CheckHelper;

export interface GraphCheckerOptions {
  readonly document: PipelineDocument;
  readonly types: NodeTypes;
  readonly found: (issues: readonly Issue[]) => void;
  readonly openHelper: OpenHelper;
  readonly now?: () => number;
}

export interface GraphChecker {
  readonly check: () => void;
  /** A question is not answered yet. */
  readonly isBusy: () => boolean;
  readonly close: () => void;
}

/** A quarter of a frame. */
const LONG_MS = 4;
/** Once may be the first time, or a machine that was busy. */
const TIMES_LONG = 2;

export function graphChecker(options: GraphCheckerOptions): GraphChecker {
  const { document, types, found, openHelper, now = () => performance.now() } = options;
  let helper: { readonly asked: CheckHelper; readonly feed: Feed } | undefined;
  let isTrusted = true;
  let timesLong = 0;
  let round = 0;
  let answered = 0;

  const here = (): void => {
    const from = now();
    const issues = graphIssues(document, types);
    timesLong = now() - from > LONG_MS ? timesLong + 1 : 0;
    answered = ++round;
    if (timesLong === TIMES_LONG && isTrusted) open();
    found(issues);
  };
  const open = (): void => {
    const asked = openHelper(
      (answer) => {
        // GC1
        if (answer.round !== round) return;
        answered = answer.round;
        found(answer.issues);
      },
      () => {
        // GC2
        isTrusted = false;
        leave();
        here();
      },
    );
    helper = { asked, feed: feedOf(document) };
  };
  const leave = (): void => {
    helper?.asked.close();
    helper?.feed.close();
    helper = undefined;
  };
  return {
    check: () => {
      if (helper === undefined) here();
      else helper.asked.ask({ round: ++round, updates: helper.feed.next() });
    },
    isBusy: () => answered !== round,
    close: leave,
  };
}

export const openCheckWorker: OpenHelper = (answered, failed) => {
  const worker = new Worker(new URL('./graph-check-worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<CheckAnswer>) => answered(data);
  worker.onerror = failed;
  worker.onmessageerror = failed;
  return { ask: (question) => worker.postMessage(question), close: () => worker.terminate() };
};
