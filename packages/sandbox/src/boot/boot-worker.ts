/**
 * Runs a data plane inside Deno: frames come in on stdin and go out on stdout.
 *
 * Owns: the two pipes, captured before anything else. Does not own: what frames mean.
 *
 * Invariants
 * - B1 Nothing is read from a global or a prototype after user code can have changed it: what is needed is
 *   captured first, then the globals are closed and the intrinsics locked (close-holes.ts).
 * - B2 `post` has written the whole frame when it returns, so a progress report precedes a handler that loops
 *   for ever.
 * - B3 A frame handed to `receive` is bytes of its own: nothing overwrites them later.
 * - B4 An error outside a handler (a promise nobody awaits, a timer's callback) goes to stderr and ends nothing.
 */
import { closeHoles } from './close-holes.ts';
import { captureConsole, type Level } from './console.ts';
import { readFrames } from './read-frames.ts';
import { frameWriter } from './write-frame.ts';

export interface WorkerPorts {
  post(frame: Uint8Array): void;
  now(): number;
  loadModule(code: string): Promise<unknown>;
  breathe?(): Promise<void>;
  collectGarbage?(): void;
}

export interface Worker {
  receive(frame: Uint8Array): void;
  /** Told of what was written to `console`. */
  print?(level: Level, parts: readonly unknown[]): void;
}

export type CreateWorker = (ports: WorkerPorts) => Worker;

/** The little of Deno that a worker uses. */
export interface DenoHost {
  readonly stdin: { read(into: Uint8Array): Promise<number | null> };
  readonly stdout: { writeSync(bytes: Uint8Array): number };
  readonly stderr: { writeSync(bytes: Uint8Array): number };
  exit(code: number): never;
}

export function bootWorker(createWorker: CreateWorker): void {
  const scope = globalThis as unknown as {
    Deno: DenoHost;
    console: unknown;
    setImmediate: (call: () => void) => void;
    gc?: () => void;
  };
  // V8 makes it a property that cannot be deleted; without its content it is nobody's.
  const { gc } = scope;
  const { stdin, stdout, stderr, exit } = scope.Deno;
  const read = stdin.read.bind(stdin);
  const post = frameWriter(stdout.writeSync.bind(stdout));
  let worker: Worker | undefined;
  const console = captureConsole(stderr.writeSync.bind(stderr), (level, parts) =>
    worker?.print?.(level, parts),
  );
  const ports: WorkerPorts = {
    post,
    now: Date.now,
    loadModule: moduleLoader(),
    breathe: turnOfTheLoop(scope.setImmediate),
    ...(gc === undefined ? {} : { collectGarbage: () => gc() }),
  };
  keepGoing((error) => console.error('error outside a handler:', error));
  scope.console = console;
  closeHoles();
  const made = createWorker(ports);
  worker = made;
  readFrames(read, (frame) => made.receive(frame)).then(
    () => exit(0),
    (error: unknown) => {
      console.error('worker failed:', error);
      exit(70);
    },
  );
}

/** Code is loaded from a `blob:` URL: Deno then refuses every import inside it. */
function moduleLoader(): WorkerPorts['loadModule'] {
  const scope = globalThis as unknown as {
    Blob: new (parts: string[], options: { type: string }) => object;
    URL: { createObjectURL(blob: object): string; revokeObjectURL(url: string): void };
  };
  const { Blob, URL } = scope;
  const { createObjectURL, revokeObjectURL } = URL;
  return async (code) => {
    const url = createObjectURL(new Blob([code], { type: 'application/javascript' }));
    try {
      return await import(url);
    } finally {
      revokeObjectURL(url);
    }
  };
}

function keepGoing(report: (error: unknown) => void): void {
  type Failure = { preventDefault(): void; reason?: unknown; error?: unknown };
  const scope = globalThis as unknown as {
    addEventListener(type: string, on: (event: Failure) => void): void;
  };
  scope.addEventListener('unhandledrejection', (event) => {
    event.preventDefault();
    report(event.reason);
  });
  scope.addEventListener('error', (event) => {
    event.preventDefault();
    report(event.error);
  });
}

/** A read of the pipe that is over is handed on in between; after a timer or a message it would not surely be. */
function turnOfTheLoop(immediate: (call: () => void) => void): () => Promise<void> {
  return () => new Promise((resolve) => immediate(resolve));
}
