/** What runs a pipeline, asked for every other second while it runs; of one that rests nothing is asked. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { type Loading, useLoad } from '../api/use-load.ts';
import { type LiveView, watchView } from '../sockets/watch-view.ts';
import type { Runtime } from './slowest-watermark.ts';

type Told = LiveView['state'];
export type State = NonNullable<Told>['state'];

export interface RuntimeNow {
  /** Undefined: it does not run. */
  readonly runtime: Loading<Runtime | undefined>;
  /** The answer before this one. */
  readonly before: Runtime | undefined;
  /** Undefined until it was told, and of what was never deployed. */
  readonly state: State | undefined;
}

const EVERY_MS = 2_000;
const RUNS: ReadonlySet<State> = new Set(['running', 'paused', 'draining', 'redriving']);

export function useRuntime(pipeline: string): RuntimeNow {
  const state = useObserved(pipeline);
  const runs = state !== undefined && RUNS.has(state);
  const rests = state !== undefined && !runs;
  const answers = useRef<{ now: Runtime | undefined; before: Runtime | undefined }>(NONE);
  const runtime = useLoad(
    useCallback(
      async (signal: AbortSignal) => {
        if (rests) {
          answers.current = NONE;
          return undefined;
        }
        const now = await call('runtime.get', { params: { pipeline }, signal });
        answers.current = { now, before: answers.current.now };
        return now;
      },
      [pipeline, rests],
    ),
  );
  const { reload } = runtime;
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(reload, EVERY_MS);
    return () => clearInterval(timer);
  }, [runs, reload]);
  return { runtime, before: answers.current.before, state };
}

const NONE = { now: undefined, before: undefined };

function useObserved(pipeline: string): State | undefined {
  const [told, setTold] = useState<State>();
  useEffect(() => watchView(pipeline, ({ state }) => setTold(state?.state)), [pipeline]);
  return told;
}
