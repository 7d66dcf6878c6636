/** A worker's data plane as whoever runs it sees it. */
import type { LogLevel } from '@millrace/sdk/runtime';

export interface WorkerPorts {
  post(frame: Uint8Array): void;
  now(): number;
  loadModule(code: string): Promise<unknown>;
  /** Lets frames that have come be received. Missing where they come by themselves. */
  breathe?(): Promise<void>;
  /** All of it, at once. Where it is missing, the engine collects when it likes. */
  collectGarbage?(): void;
}

export interface Worker {
  receive(frame: Uint8Array): void;
  /** What the pipeline's code writes to `console`: log lines, like those of `ctx.log`. */
  print(level: LogLevel, parts: readonly unknown[]): void;
}
