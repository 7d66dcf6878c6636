/** The data plane: plain TypeScript, the same bundle in a sandbox, in a test and under another host. */
export { createWorker } from './create-worker.ts';
export type { Worker, WorkerPorts } from './worker-ports.ts';
