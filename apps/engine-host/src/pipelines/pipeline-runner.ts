/**
 * Makes one pipeline do what its row in `millrace.deployments` says, for as long as this host lives.
 *
 * Owns: the pipeline's run, its restarts, what is observed of it.
 * Does not own: what to do next (`next-step.ts`), what to tell (`observe-pipeline.ts`), the run itself (engine).
 *
 * PR1 Everything it decides by is a row or can be made again from rows: a successor does the same.
 * PR2 `starting` is stored before a start begins, so that a host that ends by it leaves a trace.
 * PR3 Whatever a pipeline does ends in a state of that pipeline, never in an error of the host.
 */
import type { PipelineRun, PipelineStore, Progress, RunResult } from '@millrace/engine';
import type { Observation } from '@millrace/protocol/control';
import type { Deployment } from '@millrace/store';
import type { PlacedLine } from '../logs/placed-lines.ts';
import type { CheckVersion } from './check-version.ts';
import { type Checked, type Facts, type Last, nextStep, type Running, type Step } from './next-step.ts';
import { type Seen, seen } from './observe-pipeline.ts';
import { afterFailure, NO_FAILURES } from './restart-delay.ts';
import { RunsForLetters } from './runs-for-letters.ts';
import type { StartGate } from './start-gate.ts';
import type { StartRun } from './version-run.ts';

export interface RunnerOptions {
  readonly pipeline: string;
  load(pipeline: string): Promise<Deployment | undefined>;
  /** Takes the pipeline for this host. */
  open(pipeline: string): Promise<PipelineStore>;
  readonly check: CheckVersion;
  readonly start: StartRun;
  readonly gate: StartGate;
  /** Throws when another host has taken over. */
  observe(observation: Observation): Promise<void>;
  onProgress(version: number, progress: Progress): void;
  onLogs(lines: readonly PlacedLine[], cut: number): void;
  log(message: string): void;
  readonly now: () => number;
  /** Do not start it while it is paused, until its row changes. */
  readonly holdPaused: boolean;
}

interface ActiveRun {
  readonly handle: PipelineRun;
  readonly beganAt: number;
  readonly dropState: readonly string[];
  facts: Running;
  isUp: boolean;
}

const QUIET_PROGRESS_MS = 1_000;
const AFTER_ERROR_MS = 250;
/** A start that takes longer lets others go on: what it opens may never answer. */
const LONGEST_START_MS = 35_000;

export class PipelineRunner {
  readonly #options: RunnerOptions;
  #store: PipelineStore | undefined;
  #current: number | undefined;
  #run: ActiveRun | undefined;
  #finished: Facts['finished'];
  #last: Last | undefined;
  #checked: Checked | undefined;
  #failures = NO_FAILURES;
  #drainLeft = false;
  /** Letters of a run that ended before they were through. */
  #lettersLeft = false;
  #heldRevision: number | undefined;
  #told: Observation | undefined;
  #progressEveryMs = QUIET_PROGRESS_MS;
  readonly #letters: RunsForLetters;
  #stopping = false;
  #woken = false;
  #wake: (() => void) | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#letters = new RunsForLetters(() => this.nudge());
  }

  /** `left`: the row as the last host left it. Resolves when the row is gone or the runner was stopped. */
  async run(left: Deployment): Promise<void> {
    this.#remember(left);
    while (!this.#stopping) {
      let wish: Deployment | undefined;
      // Before it is read: what changes from here on is another turn.
      this.#woken = false;
      try {
        wish = await this.#options.load(this.#options.pipeline);
        if (wish === undefined) break;
        await this.#turn(wish);
      } catch (error) {
        if (this.#stopping) break;
        this.#failed((error as Error).message, wish?.revision ?? 0, 0, true);
        await this.#sleep(this.#options.now() + AFTER_ERROR_MS);
      }
    }
    await this.#end();
  }

  /** Its row may have changed. */
  nudge(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Ends its run at once; nothing committed is lost. */
  stop(): void {
    this.#stopping = true;
    this.#run?.handle.abort();
    this.nudge();
  }

  /** Undefined while nothing runs. */
  get active():
    | { readonly run: PipelineRun; readonly version: number; readonly beganAt: number }
    | undefined {
    const run = this.#run;
    return run && { run: run.handle, version: run.facts.version, beganAt: run.beganAt };
  }

  /** Gives `work` a run that takes dead letters; one is started for it where the pipeline rests (NS4). */
  withLetters<T>(work: (run: PipelineRun) => Promise<T>): Promise<T> {
    return this.#letters.during(work);
  }

  progressEvery(ms = QUIET_PROGRESS_MS): void {
    this.#progressEveryMs = ms;
    this.#run?.handle.progressEvery(ms);
  }

  #remember(left: Deployment): void {
    this.#drainLeft = left.observed === 'draining' && left.desired === 'stopped';
    this.#lettersLeft = left.observed === 'redriving';
    if (this.#options.holdPaused && left.desired === 'paused') this.#heldRevision = left.revision;
    if (left.observedRevision !== left.revision) return;
    const { revision } = left;
    // Only what had ended is redriven while it should run.
    if (left.observed === 'ended' || (left.observed === 'redriving' && left.desired !== 'stopped'))
      this.#last = { kind: 'ended', revision };
    if (left.observed === 'failed' && left.retryAt === undefined)
      this.#last = { kind: 'failed', error: left.reason ?? 'it failed', revision, retryAt: undefined };
  }

  async #turn(wish: Deployment): Promise<void> {
    await this.#opened(wish);
    const facts = this.#facts();
    const step = nextStep(wish, facts);
    const now = seen(wish, facts, step, this.#run?.isUp ?? false);
    if (now !== undefined) await this.#tell(wish, now);
    this.#letters.look(this.#run && { ...this.#run, run: this.#run.handle }, wish, step);
    if (step.kind === 'wait') await this.#sleep(step.until);
    else if (step.kind === 'settle' || step.kind === 'quarantine') await this.#sleep(undefined);
    else await this.#act(step, wish);
  }

  /** A pipeline that should do nothing is not taken from anybody. */
  async #opened(wish: Deployment): Promise<void> {
    const rests = wish.desired === 'stopped' && !this.#drainLeft && !this.#lettersLeft;
    if (this.#store !== undefined || (rests && !this.#letters.wanted)) return;
    const store = await this.#options.open(wish.pipeline);
    this.#current = (await store.versions.current())?.number;
    this.#store = store;
  }

  #facts(): Facts {
    return {
      now: this.#options.now(),
      running: this.#run?.facts,
      current: this.#current,
      finished: this.#finished,
      last: this.#last,
      checked: this.#checked,
      drainLeft: this.#drainLeft,
      letters: { wanted: this.#letters.wanted, left: this.#lettersLeft },
      heldRevision: this.#heldRevision,
    };
  }

  async #act(step: Step, wish: Deployment): Promise<void> {
    switch (step.kind) {
      case 'start':
        return this.#start(wish);
      case 'finish':
        return this.#finish(wish, step.dropState);
      case 'redrive':
        return this.#redrive(wish, step.inputHasEnded);
      case 'check':
        return this.#check(wish);
      case 'activate':
        return this.#activate(wish);
      case 'drain':
      case 'abort':
        this.#ask(step.kind);
        return;
      case 'resize':
        this.#resize(wish.workers);
        return;
      case 'pause':
      case 'resume':
        this.#pace(step.kind === 'pause');
    }
  }

  async #start(wish: Deployment): Promise<void> {
    const leave = await this.#options.gate.enter(wish.startCrashes);
    setTimeout(leave, LONGEST_START_MS).unref();
    // While it waited for its turn the wish may have changed.
    if (this.#woken || this.#stopping) return leave();
    try {
      const version = await this.#version(wish.version);
      await this.#tell(wish, { state: 'starting', version: wish.version });
      if (this.#stopping) return leave();
      const paused = wish.desired === 'paused';
      const { workers } = wish;
      await this.#begin(wish, { version, workers, mode: 'run', dropState: [], paused }, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #finish(wish: Deployment, dropState: readonly string[]): Promise<void> {
    if ((await this.#store?.lastPosition()) === 0) {
      this.#finished = { dropped: dropState };
      return;
    }
    const version = await this.#version(this.#current ?? wish.version);
    await this.#begin(wish, { version, workers: wish.workers, mode: 'finish', dropState, paused: false });
  }

  /** PR2: what is seen of it is stored before it begins, so that a successor finishes it. */
  async #redrive(wish: Deployment, inputHasEnded: boolean): Promise<void> {
    const version = await this.#version(wish.version);
    await this.#tell(wish, { state: 'redriving', version: wish.version });
    if (this.#stopping) return;
    const what = { workers: wish.workers, dropState: [], paused: false };
    await this.#begin(wish, { version, mode: 'redrive', inputHasEnded, ...what });
  }

  async #version(number: number) {
    const version = await this.#store?.versions.get(number);
    if (version === undefined) throw new Error(`version ${number} is not stored`);
    return version;
  }

  async #check(wish: Deployment): Promise<void> {
    const verdict = await this.#options.check(this.#store as PipelineStore, wish);
    const { revision } = wish;
    if (verdict.kind === 'able') {
      this.#checked = { kind: 'able', revision };
      return;
    }
    const { delayMs } = this.#afterFailure(0);
    const retryAt = verdict.passing ? this.#options.now() + delayMs : undefined;
    this.#checked = { kind: 'unable', revision, error: verdict.error, retryAt };
  }

  async #activate(wish: Deployment): Promise<void> {
    const store = this.#store as PipelineStore;
    const outcome = await store.versions.activate(await store.claimHost(), wish.version);
    if (outcome === 'fenced') throw new Error('another host has taken over this pipeline');
    this.#current = wish.version;
    this.#finished = undefined;
    this.#last = undefined;
    this.#failures = NO_FAILURES;
  }

  #ask(what: 'drain' | 'abort'): void {
    const run = this.#run;
    if (run === undefined) return;
    run.facts = { ...run.facts, asked: what };
    if (what === 'abort') run.handle.abort();
    else void run.handle.drain();
  }

  /** What comes of it is seen in the runtime; a host that begins meanwhile goes on with it. */
  #resize(workers: number): void {
    const run = this.#run;
    if (run === undefined) return;
    run.facts = { ...run.facts, workers };
    void run.handle.setWorkers(workers);
  }

  #pace(paused: boolean): void {
    const run = this.#run;
    if (run === undefined) return;
    run.facts = { ...run.facts, paused };
    if (paused) run.handle.pause();
    else run.handle.resume();
  }

  async #begin(
    wish: Deployment,
    what: Omit<Parameters<StartRun>[0], 'deployment' | 'pipeline' | 'progressEveryMs' | `on${string}`>,
    started: () => void = () => {},
  ): Promise<void> {
    const { version, workers, mode, dropState, paused } = what;
    this.#finished = undefined;
    if (mode === 'run') this.#drainLeft = false;
    if (mode !== 'finish') this.#lettersLeft = false;
    const handle: PipelineRun = await this.#options.start({
      ...what,
      deployment: wish,
      pipeline: this.#store as PipelineStore,
      progressEveryMs: this.#progressEveryMs,
      onRunning: () => {
        started();
        if (this.#run?.handle === handle) this.#run.isUp = true;
        this.nudge();
      },
      onProgress: (progress) => this.#options.onProgress(version.number, progress),
      onLogs: this.#options.onLogs,
    });
    const facts: Running = {
      version: version.number,
      workers,
      folder: wish.folder,
      mode,
      asked: 'nothing',
      paused,
    };
    this.#run = { handle, beganAt: this.#options.now(), dropState, facts, isUp: false };
    void handle.finished.then((result) => {
      started();
      this.#ended(result, wish.revision);
    });
  }

  #ended(result: RunResult, revision: number): void {
    const run = this.#run;
    this.#run = undefined;
    if (run === undefined) return;
    const { asked, mode, version } = run.facts;
    if (result.kind === 'failed') {
      if (mode === 'redrive') this.#lettersLeft = true;
      const lasted = this.#options.now() - run.beganAt;
      const before = mode === 'finish' ? `version ${version} could not finish what was in flight: ` : '';
      this.#failed(
        `${before}${result.error ?? 'no reason was given'}`,
        revision,
        lasted,
        result.cause !== 'code',
      );
    } else if (asked !== 'abort') {
      this.#finished = { dropped: run.dropState };
      this.#drainLeft = false;
      if (result.kind === 'done') this.#last = { kind: 'ended', revision };
    }
    this.nudge();
  }

  #failed(error: string, revision: number, lastedMs: number, mayPass: boolean): void {
    const { delayMs } = this.#afterFailure(lastedMs);
    const retryAt = mayPass ? this.#options.now() + delayMs : undefined;
    this.#last = { kind: 'failed', error, revision, retryAt };
    this.#options.log(`failed: ${error}`);
  }

  #afterFailure(lastedMs: number): { delayMs: number } {
    const { failures, delayMs } = afterFailure(this.#failures, lastedMs);
    this.#failures = failures;
    return { delayMs };
  }

  async #tell(wish: Deployment, now: Seen): Promise<void> {
    const { pipeline, revision } = wish;
    const told = this.#told;
    const isSame = told !== undefined && told.state === now.state && told.reason === now.reason;
    if (isSame && told.revision === revision && told.version === now.version && told.retryAt === now.retryAt)
      return;
    const since = isSame ? told.since : this.#options.now();
    const observation: Observation = { pipeline, revision, since, ...now };
    await this.#options.observe(observation);
    this.#told = observation;
  }

  /** Until something happened, or until this wall time. */
  async #sleep(until: number | undefined): Promise<void> {
    if (this.#woken || this.#stopping) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (until !== undefined) timer = setTimeout(resolve, Math.max(0, until - this.#options.now()));
    });
    clearTimeout(timer);
    this.#wake = undefined;
  }

  async #end(): Promise<void> {
    this.#letters.close();
    const run = this.#run;
    run?.handle.abort();
    await run?.handle.finished;
    // A start that was called off is no start the host ended by.
    if (this.#told?.state === 'starting')
      await this.#options.observe({ ...this.#told, state: 'stopped' }).catch(() => {});
  }
}
