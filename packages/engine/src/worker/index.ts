/** The data plane: plain TypeScript, the same bundle in a sandbox, in a test and under another host. */
export type { WorkerPorts } from './data-plane.ts';
export { createWorker } from './data-plane.ts';
