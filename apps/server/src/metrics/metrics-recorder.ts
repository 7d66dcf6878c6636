/**
 * Keeps the numbers the engine host tells: a blob per deployment and 10 s, and at the end of a minute that minute
 * rolled up from what is stored, so that a restart in between costs samples, never a wrong minute.
 *
 * Not handled: numbers while the server is away; the page shows a gap.
 */
import type { PipelineProgress } from '@millrace/protocol/control';
import type { MetricsStore } from '@millrace/store';
import { type Columns, columnsOf, pack, rollUp, unpackColumns } from './metric-columns.ts';

const SPAN_MS = 10_000;
const MINUTE_MS = 60_000;
/** One sample a second is enough for a history; somebody who watches is told more often. */
const SAMPLE_MS = 900;
const KEEP_SPANS_MS = 24 * 3_600_000;
const KEEP_MINUTES_MS = 30 * 24 * 3_600_000;
const FORGET_EVERY_MS = 600_000;

export interface MetricsRecorder {
  take(progress: PipelineProgress): void;
  /** What is not stored yet, oldest first. */
  recent(pipeline: string): readonly Columns[];
  /** Writes what is complete by now; all of it with `everything`. */
  flush(everything?: boolean): Promise<void>;
}

interface Open {
  readonly startsAt: number;
  readonly samples: PipelineProgress[];
}

export function metricsRecorder(metrics: MetricsStore, now: () => number): MetricsRecorder {
  const open = new Map<string, Open>();
  const complete: { pipeline: string; span: Open }[] = [];
  let writing: Promise<void> = Promise.resolve();
  let forgotAt = Number.NEGATIVE_INFINITY;

  const close = (pipeline: string, span: Open) => {
    complete.push({ pipeline, span });
    open.delete(pipeline);
  };
  const write = async () => {
    for (let first = complete[0]; first !== undefined; first = complete[0]) {
      const { pipeline, span } = first;
      const { startsAt, samples } = span;
      try {
        await metrics.put(pipeline, 10, { startsAt, body: pack(columnsOf(samples)) });
      } finally {
        // Until it is stored it is told from here; what could not be is not tried again.
        complete.shift();
      }
      await rollMinute(metrics, pipeline, startsAt - (startsAt % MINUTE_MS));
    }
    if (now() - forgotAt < FORGET_EVERY_MS) return;
    forgotAt = now();
    await metrics.forget(10, now() - KEEP_SPANS_MS);
    await metrics.forget(60, now() - KEEP_MINUTES_MS);
  };

  return {
    take(progress) {
      const { pipeline, at } = progress;
      const startsAt = at - (at % SPAN_MS);
      const span = open.get(pipeline);
      if (span !== undefined && span.startsAt !== startsAt) close(pipeline, span);
      const current = open.get(pipeline) ?? { startsAt, samples: [] };
      open.set(pipeline, current);
      const last = current.samples.at(-1);
      if (last === undefined || at - last.at >= SAMPLE_MS) current.samples.push(progress);
    },
    recent: (pipeline) =>
      [...complete.filter((each) => each.pipeline === pipeline).map(({ span }) => span), open.get(pipeline)]
        .filter((span) => span !== undefined)
        .map(({ samples }) => columnsOf(samples)),
    flush(everything = false) {
      for (const [pipeline, span] of open)
        if (everything || span.startsAt + SPAN_MS <= now()) close(pipeline, span);
      const written = writing.then(write);
      // What could not be written is not tried again: numbers are no records.
      writing = written.catch(() => undefined);
      return written;
    },
  };
}

async function rollMinute(metrics: MetricsStore, pipeline: string, minute: number): Promise<void> {
  const spans = await metrics.read(pipeline, 10, { from: minute, to: minute + MINUTE_MS, limit: 6 });
  const rolled = rollUp(spans.map(({ body }) => unpackColumns(body)));
  await metrics.put(pipeline, 60, { startsAt: minute, body: pack(rolled) });
}
