/**
 * One run of a pipeline through the real engine from the first record to the last row: what it costs, and what it
 * gives. It is measured from where a share of its input is committed, so that nothing of the start counts.
 */
import { connectors } from '@millrace/connectors';
import { runPipeline, type SinkConnector } from '@millrace/engine';
import { endingPartition } from './line-chunks.ts';
import { memoryInjector } from './memory-source.ts';
import { ProcessWatch, type Usage } from './process-watch.ts';
import type { Program } from './program.ts';
import { benchContext, benchId, type Workshop } from './workshop.ts';

export interface WholeRunOptions {
  readonly program: Program;
  /** Stands behind `injector/file`. */
  readonly chunks: readonly Uint8Array[];
  readonly records: number;
  /** Not measured are so many at the beginning. */
  readonly warmUp: number;
  readonly memoryMb?: number;
}

export interface WholeRun {
  /** From the warm-up to the last row in the sink. */
  readonly recordsPerSecond: number;
  /** The same, for each core that host, worker and Postgres kept busy. */
  readonly recordsPerCore: number;
  readonly usage: Usage;
  /** What `sink/file` would have been given: JSON of one record each, in order. */
  readonly lines: readonly string[];
}

const PROGRESS_MS = 200;

export async function wholeRun(workshop: Workshop, options: WholeRunOptions): Promise<WholeRun> {
  const { program, chunks, memoryMb = 1024 } = options;
  const id = benchId();
  const measuring = new Measuring(options, new ProcessWatch(workshop.store.serverPid));
  const rows: Uint8Array[] = [];
  const injector = memoryInjector([endingPartition('events', chunks)]);
  const sink = collectingSink(rows);
  const run = runPipeline({
    store: await workshop.store.pipeline(id),
    launcher: workshop.launcher,
    connectors: {
      injector: (type) => (type === 'injector/file' ? injector : connectors.injector(type)),
      sink: (type) => (type === 'sink/file' ? sink : connectors.sink(type)),
    },
    connectorContext: benchContext,
    sinkContext: (node, hostSequencer) => workshop.store.sinkContext(id, hostSequencer, benchContext(node)),
    version: { number: 1, plan: { ...program.plan, pipeline: id }, bundle: program.bundle },
    workers: 1,
    memoryMb,
    progressEveryMs: PROGRESS_MS,
    onProgress: ({ nodes }) => measuring.see(nodes[0]?.in ?? 0),
    log: () => undefined,
  });
  const result = await run.finished;
  const measured = measuring.result();
  if (result.kind !== 'done') throw new Error(`the run did not come to its end: ${JSON.stringify(result)}`);
  return { ...measured, lines: rows.flatMap((bytes) => Buffer.from(bytes).toString().trimEnd().split('\n')) };
}

/** From the warm-up to the last look before the run is over: then its worker is gone, and its times with it. */
class Measuring {
  readonly #options: WholeRunOptions;
  readonly #watch: ProcessWatch;
  #begin: { readonly at: number; readonly records: number } | undefined;
  #end: { readonly at: number; readonly records: number; readonly usage: Usage } | undefined;

  constructor(options: WholeRunOptions, watch: ProcessWatch) {
    this.#options = options;
    this.#watch = watch;
    this.see(0);
  }

  see(records: number): void {
    const at = performance.now();
    if (this.#begin !== undefined) {
      const usage = this.#watch.usage();
      if (usage.isWorking || this.#end === undefined) this.#end = { at, records, usage };
    } else if (records >= this.#options.warmUp) {
      this.#begin = { at, records };
      this.#watch.begin();
    }
  }

  /** A short run may be over before it was looked at. */
  result(): Omit<WholeRun, 'lines'> {
    if (this.#end === undefined) this.see(this.#options.records);
    this.#watch.close();
    const [begin, end] = [this.#begin, this.#end];
    if (begin === undefined || end === undefined)
      throw new Error('the run was over before anything of it was measured');
    const records = Math.max(1, end.records - begin.records);
    const { usage } = end;
    return {
      recordsPerSecond: (records * 1000) / (end.at - begin.at),
      recordsPerCore: records / usage.seconds,
      usage,
    };
  }
}

function collectingSink(rows: Uint8Array[]): SinkConnector {
  return {
    egress: 'text',
    open: async (_config, context) => {
      const before = await context.mark();
      return {
        through: before?.through ?? 0,
        async deliver(batch) {
          for (const { bytes } of batch.texts ?? []) rows.push(bytes.slice());
          await context.commit({ through: batch.through, detail: {} }, []);
          return { rejected: 0 };
        },
        close: async () => undefined,
      };
    },
  };
}
