/**
 * Keeps one engine host running: starts it, hears it, starts it again when it ends or hangs, stops it in order.
 *
 * SV1 There is at most one at a time: the next is started only when the last is gone.
 * SV2 It holds nothing a successor needs; what is lost with a host is told again by the next one.
 */
import { engineHostProgram } from '@millrace/engine-host';
import type {
  HostRequest,
  HostRequestKind,
  IngestDoor,
  Observation,
  PipelineProgress,
  ToServer,
} from '@millrace/protocol/control';
import type { StoreAddress } from '@millrace/store';
import { type HostProcess, type HostReply, startHostProcess } from './host-process.ts';
import { afterEnd, NO_ENDS } from './restart-pause.ts';

export interface SupervisorOptions {
  /** Of the database; asked before every start, so that it has been brought back by then. */
  address(): Promise<StoreAddress>;
  /** Absolute. */
  readonly dataDir: string;
  /** Start no paused pipeline until somebody resumes it (`--paused`). */
  readonly holdPaused: boolean;
  log(message: string): void;
  /** Another program than the built one; for tests. */
  readonly program?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export interface HostListener {
  observed?(observation: Observation): void;
  progress?(progress: PipelineProgress): void;
  tap?(tap: Extract<ToServer, { type: 'tap' }>): void;
  tapEnded?(tap: string): void;
  /** A host is up, or gone: live numbers of the last one are stale. */
  host?(state: 'ready' | 'gone'): void;
}

/** What the rest of the server sees of the engine host. */
export interface EngineHost {
  /** The row of this pipeline has changed. */
  nudge(pipeline: string): void;
  request<K extends HostRequestKind>(kind: K, body: HostRequest<K>): Promise<HostReply<K>>;
  /** CP5: the next message of this tap may come. */
  tapTaken(tap: string): void;
  listen(listener: HostListener): () => void;
  readonly pid: number | undefined;
  readonly isReady: boolean;
  /** Where it takes posted records; undefined while it does not. */
  readonly ingest: IngestDoor | undefined;
}

export interface Supervisor extends EngineHost {
  /** Once, when everything that listens to it does. */
  start(): void;
  stop(withinMs: number): Promise<void>;
}

export function superviseEngineHost(options: SupervisorOptions): Supervisor {
  const listeners = new Set<HostListener>();
  let current: HostProcess | undefined;
  let isReady = false;
  let ingest: IngestDoor | undefined;
  let isStopping = false;
  let ends = NO_ENDS;
  let again: NodeJS.Timeout | undefined;
  let starting: Promise<void> | undefined;

  const tell = (say: (listener: HostListener) => void) => {
    for (const listener of listeners) say(listener);
  };
  const heard = (message: ToServer) => {
    if (message.type === 'ready') {
      isReady = true;
      ingest = message.ingest;
      tell((listener) => listener.host?.('ready'));
    } else if (message.type === 'observed') tell((listener) => listener.observed?.(message.observation));
    else if (message.type === 'tap') tell((listener) => listener.tap?.(message));
    else if (message.type === 'tap-ended') tell((listener) => listener.tapEnded?.(message.tap));
    else if (message.type === 'note') options.log(withPipeline(message.text, message.pipeline));
    else if (message.type === 'progress') {
      tell((listener) => listener.progress?.(message.progress));
      current?.send({ type: 'progress-taken', pipeline: message.progress.pipeline });
    }
  };
  const start = async () => {
    const database = await options.address();
    if (isStopping) return;
    const beganAt = performance.now();
    current = startHostProcess({
      program: options.program ?? engineHostProgram(),
      settings: { database, dataDir: options.dataDir, holdPaused: options.holdPaused },
      env: options.env ?? process.env,
      heard,
      output: options.log,
      ended: (how) => over(how, performance.now() - beganAt),
    });
  };
  const over = (how: string, livedMs: number) => {
    current = undefined;
    isReady = false;
    ingest = undefined;
    tell((listener) => listener.host?.('gone'));
    if (isStopping) return;
    const next = afterEnd(ends, livedMs);
    ends = next.ends;
    options.log(`The engine host is gone (${how}); it is started again and takes up every pipeline.`);
    plan(next.pauseMs);
  };
  const plan = (pauseMs: number) => {
    again = setTimeout(() => {
      starting = start().catch((error: Error) => {
        options.log(`The engine host cannot be started: ${error.message}`);
        const next = afterEnd(ends, 0);
        ends = next.ends;
        if (!isStopping) plan(next.pauseMs);
      });
    }, pauseMs);
  };
  return {
    start: () => plan(0),
    nudge: (pipeline) => current?.send({ type: 'nudge', pipeline }),
    request: async (kind, body) => (await current?.request(kind, body)) ?? { kind: 'away' },
    tapTaken: (tap) => current?.send({ type: 'tap-taken', tap }),
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get pid() {
      return current?.pid;
    },
    get isReady() {
      return isReady;
    },
    get ingest() {
      return ingest;
    },
    async stop(withinMs) {
      isStopping = true;
      clearTimeout(again);
      await starting;
      await current?.stop(withinMs);
    },
  };
}

const withPipeline = (text: string, pipeline: string | undefined) =>
  pipeline === undefined ? text : `${pipeline}: ${text}`;
