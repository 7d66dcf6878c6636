/**
 * The newest numbers of every pipeline that runs, and who watches which.
 *
 * Owns: nothing that matters: it is a copy of what the host said last, and empty after a restart.
 * Invariant VB1: the host is asked to tell often exactly while somebody watches.
 */
import { randomUUID } from 'node:crypto';
import type { Observation, PipelineProgress } from '@millrace/protocol/control';
import type { LiveSource } from './live-source.ts';

export interface Newest {
  /** Rises with every news of this pipeline. */
  readonly sequence: number;
  readonly progress: PipelineProgress | undefined;
  readonly state: Observation | undefined;
}

const WATCHED_EVERY_MS = 100;
const NOTHING: Newest = { sequence: 0, progress: undefined, state: undefined };

export class ViewBoard {
  /** Sequence numbers are of this start of the server. */
  readonly epoch: string = randomUUID();
  readonly #source: LiveSource;
  readonly #newest = new Map<string, Newest>();
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #stop: () => void;

  constructor(source: LiveSource) {
    this.#source = source;
    this.#stop = source.listen({
      progress: (progress) => this.#put(progress.pipeline, { progress }),
      observed: (state) => this.#put(state.pipeline, { state }),
      host: (state) => {
        if (state === 'ready') for (const pipeline of this.#watchers.keys()) this.#ask(pipeline);
      },
    });
  }

  newest(pipeline: string): Newest {
    return this.#newest.get(pipeline) ?? NOTHING;
  }

  /** Every pipeline of which anything is known. */
  all(): ReadonlyMap<string, Newest> {
    return this.#newest;
  }

  /** Calls `news` whenever there is some; returns how to stop. */
  watch(pipeline: string, news: () => void): () => void {
    const watchers = this.#watchers.get(pipeline) ?? new Set();
    this.#watchers.set(pipeline, watchers);
    watchers.add(news);
    if (watchers.size === 1) this.#ask(pipeline);
    return () => {
      if (!watchers.delete(news) || watchers.size > 0) return;
      this.#watchers.delete(pipeline);
      this.#ask(pipeline);
    };
  }

  /** What is written down of a pipeline the host has said nothing of since this server was started. */
  seed(state: Observation): void {
    if (this.newest(state.pipeline).state === undefined) this.#put(state.pipeline, { state });
  }

  /** A pipeline that is gone. */
  forget(pipeline: string): void {
    this.#newest.delete(pipeline);
  }

  close(): void {
    this.#stop();
  }

  #ask(pipeline: string): void {
    const everyMs = this.#watchers.has(pipeline) ? WATCHED_EVERY_MS : undefined;
    // A host that is away is asked again when it is ready; a pipeline that does not run has nothing to tell.
    this.#source.request('watch', { pipeline, everyMs }).catch(() => undefined);
  }

  #put(pipeline: string, news: Partial<Newest>): void {
    const before = this.newest(pipeline);
    const progress = news.state === undefined ? before.progress : keptOf(before.progress, news.state);
    this.#newest.set(pipeline, { ...before, progress, ...news, sequence: before.sequence + 1 });
    for (const watcher of [...(this.#watchers.get(pipeline) ?? [])]) watcher();
  }
}

const RUNS: ReadonlySet<string> = new Set(['running', 'paused', 'draining', 'redriving']);

/** Numbers of a run that is over are not those of the next; those of one whose input has ended are its result. */
function keptOf(
  progress: PipelineProgress | undefined,
  { state }: Observation,
): PipelineProgress | undefined {
  if (progress === undefined || RUNS.has(state)) return progress;
  return state === 'ended' ? atRest(progress) : undefined;
}

/** Nothing moves any more. */
function atRest(progress: PipelineProgress): PipelineProgress {
  return {
    ...progress,
    commits: { ...progress.commits, bundleRate: 0 },
    nodes: progress.nodes.map((node) => ({ ...node, inRate: 0, outRate: 0, busy: 0 })),
    streams: progress.streams.map((stream) => ({ ...stream, rate: 0 })),
  };
}
