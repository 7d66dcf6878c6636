import type { RunPlan } from '@millrace/graph';
import type { PipelineRun, RunOptions } from '../host/run-options.ts';
import { runPipeline } from '../run-pipeline.ts';
import { MemoryStore } from './memory-store.ts';

export type InMemory = Pick<RunOptions, 'launcher' | 'connectors'> & Partial<RunOptions>;

/** A pipeline of the engine alone, in a new store if none is given. An imbalance of its counts ends the test. */
export function runInMemory(plan: RunPlan, options: InMemory): PipelineRun {
  return runPipeline({
    store: new MemoryStore(),
    sinkContext: (node) => ({ nodeName: node.name, mark: async () => undefined }) as never,
    connectorContext: (node) => ({ nodeName: node.name }) as never,
    version: { number: 1, plan, bundle: '' },
    workers: 1,
    memoryMb: 256,
    log: (message) => {
      if (message.startsWith('ALARM')) throw new Error(message);
    },
    ...options,
  });
}
