/**
 * A worker whose code has taken it over, in front of the real host: what it says is a script. However an attack ends,
 * nothing of it may come up as an error that nobody has caught.
 */
import {
  BundleBodyWriter,
  ByteWriter,
  encodeRecord,
  encodeSinkRow,
  encodeValue,
  type HostFrame,
  keyPrefix,
  type LogLine,
  openSinkText,
  SINK_SLOT,
  spaceOf,
  stateKey,
  type TapSample,
  type WorkerFrame,
} from '@millrace/protocol';
import { afterEach, beforeEach, expect } from 'vitest';
import type { PipelineRun, RunResult } from '../host/run-options.ts';
import type { SinkContext } from '../ports.ts';
import { runPipeline } from '../run-pipeline.ts';
import { type HostileWorker, HostileWorkers } from './hostile-workers.ts';
import { MemoryConnectors } from './memory-connectors.ts';
import { MemoryStore } from './memory-store.ts';
import { planOf } from './plans.ts';

export const plan = planOf(
  [
    { id: 'n_in', kind: 'injector', config: { path: 'lines' } },
    { id: 'n_a', kind: 'computation' },
    { id: 'n_out', kind: 'sink' },
  ],
  [
    { from: 'n_in', to: 'n_a' },
    { from: 'n_a', to: 'n_out' },
  ],
);
/** Of the nodes in the store, as a new pipeline gets them. */
export const [IN, A] = [1, 2] as const;
const HASH = { high: 0x10000000, low: 1 };
export const own = stateKey(keyPrefix('k', HASH));
export const foreign = stateKey(keyPrefix('k', { high: 0xf0000000, low: 1 }));
export const one = Uint8Array.of(1);

export type Script = (worker: HostileWorker, frame: HostFrame) => void;

const unhandled: unknown[] = [];
const note = (error: unknown) => unhandled.push(error);
const runs: PipelineRun[] = [];

/** Of the tests of one file: their runs are broken off, and nothing was left uncaught. */
export function watchAttacks(): void {
  beforeEach(() => {
    unhandled.length = 0;
    process.on('unhandledRejection', note);
    process.on('uncaughtException', note);
  });
  afterEach(async () => {
    for (const run of runs.splice(0)) {
      run.abort();
      await run.finished;
    }
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    process.off('uncaughtException', note);
    expect(unhandled).toEqual([]);
  });
}

export function attack(
  script: Script,
  more: { store?: MemoryStore; workers?: number; now?: () => number } = {},
) {
  const store = more.store ?? new MemoryStore();
  const connectors = new MemoryConnectors();
  connectors.sources.set('lines', ['{"a":1}\n{"a":2}\n']);
  const launcher = new HostileWorkers(script);
  const logs: { lines: LogLine[]; cut: number } = { lines: [], cut: 0 };
  const run = runPipeline({
    store,
    launcher,
    connectors,
    sinkContext: (node) =>
      ({ nodeId: node.id, nodeName: node.name, mark: async () => undefined }) as unknown as SinkContext,
    connectorContext: (node) => ({
      nodeId: node.id,
      nodeName: node.name,
      folder: '/',
      secret: async () => '',
      now: Date.now,
    }),
    version: { number: 1, plan, bundle: '' },
    workers: more.workers ?? 1,
    memoryMb: 64,
    ...(more.now === undefined ? {} : { clock: { now: more.now } }),
    log: () => undefined,
    onProgress: () => undefined,
    onLogs: (lines, cut) => {
      logs.lines.push(...lines);
      logs.cut += cut;
    },
  });
  runs.push(run);
  return { store, connectors, launcher, run, logs };
}

export async function failure(run: PipelineRun): Promise<string> {
  const result = (await Promise.race([
    run.finished,
    new Promise((resolve) => setTimeout(() => resolve({ kind: 'hangs' }), 4_000)),
  ])) as RunResult;
  expect(result.kind).toBe('failed');
  return result.error ?? '';
}

export const bodyOf = (write: (body: BundleBodyWriter) => void): Uint8Array => {
  const body = new BundleBodyWriter();
  write(body);
  return body.take();
};
export const bytesOf = (write: (w: ByteWriter) => void): Uint8Array => {
  const w = new ByteWriter();
  write(w);
  return w.take();
};
export const bundle = (body: Uint8Array, more: Partial<Extract<WorkerFrame, { kind: 'bundle' }>> = {}) =>
  ({ kind: 'bundle', bundleNumber: 1, throughSequence: 0, watermarks: [], body, ...more }) as const;
export const state = bodyOf((body) => body.put(spaceOf(A, 'state'), own, one));

/** Ready as it should be, then whatever `then` does; worker 1, where there is one, does nothing. */
export function readyThen(then: (worker: HostileWorker) => void): Script {
  return (worker, frame) => {
    if (frame.kind !== 'restore' || !frame.last) return;
    worker.say({ kind: 'ready' });
    if (worker.configuration?.slot === 0) then(worker);
  };
}
export const sending = (...frames: (WorkerFrame | Uint8Array)[]): Script =>
  readyThen((worker) => {
    for (const frame of frames) frame instanceof Uint8Array ? worker.raw(frame) : worker.say(frame);
  });
export const storing = (write: (body: BundleBodyWriter) => void): Script => sending(bundle(bodyOf(write)));

export const record = bytesOf((w) =>
  encodeRecord(w, { key: 'k', timestamp: 0, id: 'i', pane: undefined, value: null }),
);
export const row = (line: string, timestamp = 0) =>
  bytesOf((w) => encodeSinkRow(w, { id: 'i', key: 'k', timestamp, bytes: Buffer.from(line) }));
export const text = (lines: string) =>
  bytesOf((w) => {
    openSinkText(w);
    w.raw(Buffer.from(lines));
  });
export const value = (of: unknown) => bytesOf((w) => encodeValue(w, of));
export const toSink = { node: 2, stream: 1, slot: SINK_SLOT };

export function sample(stream: number, text: string): TapSample {
  const record = { key: '', timestamp: 0, id: '', pane: undefined, text, cut: false };
  return { stream, seen: 1, records: [{ ...record, way: [] }] };
}

export function samplesOf(worker: HostileWorker, bundleNumber: number, text = 'x'): void {
  worker.say({ kind: 'taps', bundleNumber, samples: [sample(0, text)] });
}
