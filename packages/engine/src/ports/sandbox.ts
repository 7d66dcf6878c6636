/** How the host starts and talks to workers. Implemented by packages/sandbox. */

export interface WorkerExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why the launcher itself ended it, if it did: an oversized frame, the memory limit. */
  readonly reason: string | undefined;
  /** Last bytes of standard error, for the message. */
  readonly stderr: string;
}

export interface WorkerProcess {
  readonly pid: number | undefined;
  /** Processor time it has spent so far, in ms; undefined, or not there: this system does not say. */
  processorMs?(): number | undefined;
  /** Queues one frame. Frames arrive whole and in order. */
  send(frame: Uint8Array): void;
  /** Bytes accepted by `send` and not yet taken by the pipe. */
  readonly queuedBytes: number;
  /** Called each time the pipe has taken all of it. Missing where it takes everything at once. */
  onDrain?(handler: () => void): void;
  onFrame(handler: (frame: Uint8Array) => void): void;
  /** Called once, after the last frame. */
  onExit(handler: (exit: WorkerExit) => void): void;
  /** SIGKILL. */
  kill(reason?: string): void;
}

export interface WorkerLauncher {
  launch(options: { readonly name: string; readonly memoryMb: number }): Promise<WorkerProcess>;
  close(): Promise<void>;
}
