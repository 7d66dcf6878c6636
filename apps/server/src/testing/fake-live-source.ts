/** An engine host that says what a test makes it say. */
import type { HostRequestKind, PipelineProgress } from '@millrace/protocol/control';
import type { LiveSource } from '../live/live-source.ts';
import type { HostListener } from '../supervisor/engine-host-supervisor.ts';
import type { HostReply } from '../supervisor/host-process.ts';

export class FakeLiveSource implements LiveSource {
  readonly asked: { kind: HostRequestKind; body: Record<string, unknown> }[] = [];
  readonly taken: string[] = [];
  answers: Partial<Record<HostRequestKind, HostReply<HostRequestKind>>> = {
    'logs-read': { kind: 'answer', body: { book: 'b', lines: [], cut: 0 } },
  };
  readonly #listeners = new Set<HostListener>();

  async request<K extends HostRequestKind>(kind: K, body: unknown): Promise<HostReply<K>> {
    this.asked.push({ kind, body: body as Record<string, unknown> });
    return (this.answers[kind] ?? { kind: 'answer', body: {} }) as HostReply<K>;
  }

  tapTaken(tap: string): void {
    this.taken.push(tap);
  }

  listen(listener: HostListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  say<K extends keyof HostListener>(what: K, ...args: Parameters<NonNullable<HostListener[K]>>): void {
    for (const listener of this.#listeners)
      (listener[what] as ((...args: unknown[]) => void) | undefined)?.(...args);
  }

  /** Of the last tap that was opened. */
  get tap(): string {
    return String(this.asked.findLast(({ kind }) => kind === 'tap-open')?.body.tap);
  }
}

export function progressOf(pipeline: string, more: Partial<PipelineProgress> = {}): PipelineProgress {
  return {
    pipeline,
    version: 1,
    at: 1,
    position: 1,
    unfoldedBytes: 0,
    commits: { bundleRate: 0 },
    nodes: [nodeOf('n_a')],
    streams: [{ stream: 's_0', produced: 1, redriven: 0, delivered: 1, inFlight: 0, rate: 0 }],
    ...more,
  };
}

export function nodeOf(node: string, more: Partial<PipelineProgress['nodes'][number]> = {}) {
  return {
    node,
    name: node,
    kind: 'computation' as const,
    in: 0,
    out: 0,
    inRate: 0,
    outRate: 0,
    late: 0,
    deadLettered: 0,
    redriven: 0,
    droppedLate: 0,
    setAside: 0,
    waiting: 0,
    counts: {},
    countsCut: 0,
    watermark: { kind: 'not-yet' as const },
    backlog: 0,
    ...more,
  };
}
