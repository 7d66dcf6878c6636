/**
 * One spare: its process, and what it may say.
 *
 * Owns: the process; which trials it was handed; whether it is silent.
 * Does not own: whose turn it is (`trials`), what its end means (`spare-crew`).
 *
 * Invariants
 *   SU1  a spare is trusted no more than a worker: it has no lease and can commit nothing, it reads the state of the key
 *        it is at and nothing else, and a frame that is not a spare's, or out of turn, ends it.
 */
import {
  decodeWorkerFrame,
  encodeHostFrame,
  type FetchResult,
  type HostFrame,
  startsWith,
  type WorkerConfiguration,
  type WorkerFrame,
} from '@millrace/protocol';
import type { WorkerProcess } from '../ports.ts';
import { Silence, type SilenceLimits, type SilenceVerdict } from './silence.ts';
import type { WorkerDeath } from './worker-link.ts';

type Trial = Extract<HostFrame, { kind: 'trial' }>;
type Scans = Extract<WorkerFrame, { kind: 'fetch' }>['scans'];

/** A trial, and what the spare may read for it. */
export interface HandedTrial {
  readonly trial: Trial;
  readonly space: number;
  readonly prefix: Uint8Array;
  /** The last stored sequence of what is tried. */
  readonly through: number;
}

export interface SpareLinkEvents {
  ready(): void;
  /** The first of the trials it was handed is over. */
  tried(over: HandedTrial, spent: boolean): void;
  fetch(request: number, scans: Scans): void;
  exit(death: WorkerDeath): void;
}

/** A longer name condemns nobody: it would go with every trial that follows. */
const LONGEST_INPUT = 64 * 1024;

export class SpareLink {
  readonly #process: WorkerProcess;
  readonly #events: SpareLinkEvents;
  #state: 'starting' | 'running' | 'dead' = 'starting';
  #handed: HandedTrial[] = [];
  #asked: number | undefined;
  readonly #silence: Silence;
  #lastInput: string | undefined;
  #killedFor: string | undefined;
  #isDoubtful = false;

  constructor(process: WorkerProcess, events: SpareLinkEvents, now: () => number) {
    this.#process = process;
    this.#events = events;
    this.#silence = new Silence(now, () => process.processorMs?.());
    process.onFrame((frame) => this.#receive(frame));
    process.onExit((exit) => {
      this.#state = 'dead';
      const killedFor = this.#killedFor ?? exit.reason;
      events.exit({
        exit,
        killedFor,
        isDoubtful: this.#isDoubtful,
        busy: this.#handed.length > 0,
        lastInput: this.#lastInput,
      });
    });
  }

  /** Milliseconds since one that tries something last said anything. */
  get silentMs(): number {
    return this.#owesASign ? this.#silence.wallMs : 0;
  }

  judgeSilence(limits: SilenceLimits): SilenceVerdict {
    return this.#owesASign ? this.#silence.judge(limits) : 'patience';
  }

  get #owesASign(): boolean {
    return this.#handed.length > 0 && this.#asked === undefined;
  }

  get queuedBytes(): number {
    return this.#process.queuedBytes;
  }

  /** For so many milliseconds the host could not have heard it. */
  excuse(ms: number): void {
    this.#silence.excuse(ms);
  }

  configure(configuration: WorkerConfiguration, code: string): void {
    this.#send({ kind: 'configure', configuration, code });
  }

  hand(handed: HandedTrial): void {
    if (this.#handed.length === 0) this.#silence.heard();
    this.#handed.push(handed);
    this.#send(handed.trial);
  }

  fetched(request: number, results: readonly FetchResult[]): void {
    this.#asked = undefined;
    this.#silence.heard();
    this.#send({ kind: 'fetched', request, results });
  }

  /** `isDoubtful`: nobody may be to blame for it. */
  kill(reason: string, isDoubtful = false): void {
    if (this.#killedFor === undefined) this.#isDoubtful = isDoubtful;
    this.#killedFor ??= reason;
    this.#process.kill(reason);
  }

  #send(frame: HostFrame): void {
    if (this.#state !== 'dead') this.#process.send(encodeHostFrame(frame));
  }

  #receive(bytes: Uint8Array): void {
    if (this.#state === 'dead' || this.#killedFor !== undefined) return;
    this.#silence.heard();
    try {
      this.#handle(decodeWorkerFrame(bytes));
    } catch (error) {
      // Whatever it was in the middle of: it has said too much to be believed.
      this.#lastInput = undefined;
      this.kill(`a spare broke its rules: ${(error as Error).message}`);
    }
  }

  #handle(frame: WorkerFrame): void {
    switch (frame.kind) {
      case 'ready':
        if (this.#state !== 'starting') throw new Error('ready twice');
        this.#state = 'running';
        return this.#events.ready();
      case 'progress':
        this.#lastInput = frame.input === '' || frame.input.length > LONGEST_INPUT ? undefined : frame.input;
        return;
      case 'fetch':
        this.#checkScans(frame.scans);
        if (this.#asked !== undefined) throw new Error('a question before the last one is answered');
        this.#asked = frame.request;
        return this.#events.fetch(frame.request, frame.scans);
      case 'tried': {
        const over = this.#handed[0];
        if (frame.number !== over?.trial.number)
          throw new Error(`trial ${frame.number} is called over, which is not the one it is at`);
        this.#handed.shift();
        this.#lastInput = undefined;
        return this.#events.tried(over, frame.spent);
      }
      case 'failed':
        throw new Error(frame.message);
      default:
        throw new Error(`it sent a frame "${frame.kind}"`);
    }
  }

  #checkScans(scans: Scans): void {
    const at = this.#handed[0];
    for (const { space, prefix } of scans)
      if (at === undefined || space !== at.space || !startsWith(prefix, at.prefix))
        throw new Error('it asked for state of a key that is not on trial');
  }
}
