/**
 * Deliberate faults, for the crash sweep alone: which process dies at the how-manieth pass of which point, and
 * which guard is switched off (a negative control). A run without faults has none of this code on its path.
 *
 * Owns: the schedule and the wrapped store, launcher and sink contexts that pass its points.
 * Does not own: how a process is killed; whoever composes the run hands that in.
 */
import {
  BundleBodyWriter,
  dueSpaceOf,
  forEachChange,
  META_SPACE,
  readBundleBody,
  type Watermark,
  type WorkerFaults,
} from '@millrace/protocol';
import type { RunOptions } from './host/run-options.ts';
import type { LoggedBundle, PipelineStore, SealedBundle, SinkContext, WorkerProcess } from './ports.ts';

export const FAULT_POINTS = [
  'before-claim',
  'after-claim',
  'before-worker-claim',
  'after-worker-claim',
  'before-commit',
  'during-commit',
  'between-halves',
  'after-commit-before-acknowledge',
  'after-acknowledge',
  'before-fold',
  'during-fold',
  'after-fold',
  'before-release',
  'after-release',
  'before-sink-write',
  'after-sink-write',
  'during-sink-mark',
  'after-sink-mark',
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];

export const FAULT_VICTIMS = ['host', 'worker', 'spare', 'postgres'] as const;
export type FaultVictim = (typeof FAULT_VICTIMS)[number];

export const FAULT_CONTROLS = [
  'unlocked-sequencer-check',
  'ignored-delivery-marks',
  'split-commit',
  'no-parked-holds',
  'reapplied-prefix',
  'ignored-horizon',
  'lost-far-timers',
  'unfrozen-moves',
  'kept-intervals',
  'unmarked-moves',
  'kept-receivers',
  'unlowered-heirs',
  'unkept-tables',
] as const;
export type FaultControl = (typeof FAULT_CONTROLS)[number];

export interface PlannedFault {
  readonly at: FaultPoint;
  /** 1: the first pass. */
  readonly pass: number;
  readonly victim: FaultVictim;
  /** Which of the workers that live. */
  readonly worker?: number;
}

export interface FaultPlan {
  readonly kills: readonly PlannedFault[];
  readonly controls?: readonly FaultControl[];
  /** Keeps bundles small, so that a short input passes each point often. */
  readonly bundleRecords?: number;
  readonly foldEveryMs?: number;
  /** Makes segments of the log so small that a short run rotates and releases them. */
  readonly segmentBytes?: number;
  /** Makes workers forget keys, so that state is read back from the store. */
  readonly cacheBytes?: number;
  /** Makes workers leave timers in the store that are not among the next few. */
  readonly timersInMemory?: number;
  /** Delays every write of a sink, so that deliveries wait in the log and beyond it. */
  readonly slowSinkMs?: number;
  /** Makes a killed worker leave suspects, as one that ended of its own doing. */
  readonly suspectKilled?: boolean;
  /** Negative control of `spares.test`: what a worker holds runs without having been tried. */
  readonly runsUntried?: boolean;
  /** The how-manieth commit waits for `stalled`, and the host dies while the database still works on it. */
  readonly stallCommit?: number;
}

export interface FaultHands {
  killHost(): void;
  killWorker(pid: number, as?: 'worker' | 'spare'): void;
  killPostgres(): void;
  /** Resolves when the next commit of this bundle is sure to get stuck inside the database. */
  stall(bundle: SealedBundle): Promise<void>;
  /** Everything committed, as the host tells it to others. */
  committed?(position: number, slot: number, slots: number, watermarks: readonly Watermark[]): void;
}

/** One run's faults. */
export class Faults {
  readonly plan: FaultPlan;
  readonly hands: FaultHands;
  readonly workers: WorkerProcess[] = [];
  /** Those that live. */
  readonly spares = new Set<WorkerProcess>();
  /** Of spares, with none there. */
  #missedKills = 0;
  delays = 0;
  readonly #passes = new Map<FaultPoint, number>();

  constructor(plan: FaultPlan, hands: FaultHands) {
    this.plan = plan;
    this.hands = hands;
  }

  /** `text` is JSON; throws when it is not a plan. */
  static read(text: string, hands: FaultHands): Faults {
    const plan = JSON.parse(text) as FaultPlan;
    for (const { at, victim } of plan.kills)
      if (!FAULT_POINTS.includes(at) || !FAULT_VICTIMS.includes(victim))
        throw new Error(`no fault can be planned for ${victim} at ${at}`);
    for (const control of plan.controls ?? [])
      if (!FAULT_CONTROLS.includes(control)) throw new Error(`there is no control named ${control}`);
    return new Faults(plan, hands);
  }

  /** The run goes through this point. */
  reach(point: FaultPoint): void {
    const pass = (this.#passes.get(point) ?? 0) + 1;
    this.#passes.set(point, pass);
    for (const kill of this.plan.kills) if (kill.at === point && kill.pass === pass) this.#strike(kill);
  }

  without(control: FaultControl): boolean {
    return this.plan.controls?.includes(control) === true;
  }

  committed(position: number, slot: number, slots: number, watermarks: readonly Watermark[]): void {
    this.reach('after-acknowledge');
    this.hands.committed?.(position, slot, slots, watermarks);
  }

  get forWorkers(): WorkerFaults {
    return {
      bundleRecords: this.plan.bundleRecords,
      unheldParked: this.without('no-parked-holds'),
      ignoredHorizon: this.without('ignored-horizon'),
      unfrozenMoves: this.without('unfrozen-moves'),
      keptIntervals: this.without('kept-intervals'),
      unmarkedMoves: this.without('unmarked-moves'),
    };
  }

  /** A spare lives for a short time: a kill that found none meets a later one, a little later each time. */
  spareStarted(spare: WorkerProcess): void {
    this.spares.add(spare);
    spare.onExit(() => this.spares.delete(spare));
    if (this.#missedKills === 0) return;
    this.#missedKills--;
    setTimeout(() => this.spares.has(spare) && this.#strikeSpare(spare), (this.delays++ % 6) * 70);
  }

  #strikeSpare(spare: WorkerProcess | undefined): void {
    if (spare?.pid === undefined) this.#missedKills++;
    else this.hands.killWorker(spare.pid, 'spare');
  }

  #strike({ victim, worker = 0 }: PlannedFault): void {
    const { hands, workers } = this;
    if (victim === 'host') return hands.killHost();
    if (victim === 'postgres') return hands.killPostgres();
    if (victim === 'spare') return this.#strikeSpare([...this.spares].at(-1));
    const pid = workers.at(-1 - (worker % Math.max(1, workers.length)))?.pid;
    if (pid !== undefined) hands.killWorker(pid);
  }
}

/** The same run with its ports wrapped, so that every point is passed. */
export function withFaults(options: RunOptions): RunOptions {
  const { faults, launcher } = options;
  if (faults === undefined) return options;
  return {
    ...options,
    store: faultyStore(options.store, faults),
    launcher: {
      close: () => launcher.close(),
      async launch(wanted) {
        const process = await launcher.launch(wanted);
        if (!wanted.name.includes(' spare ')) faults.workers.push(process);
        else faults.spareStarted(process);
        return process;
      },
    },
    sinkContext: (node, sequencer) => faultySinkContext(options.sinkContext(node, sequencer), faults),
  };
}

/** Passes `point` while `call` is on its way: a little later each time, so that it hits different moments. */
async function during<T>(call: Promise<T>, point: FaultPoint, faults: Faults): Promise<T> {
  const timer = setTimeout(() => faults.reach(point), faults.delays++ % 4);
  try {
    return await call;
  } finally {
    clearTimeout(timer);
  }
}

function faultyStore(store: PipelineStore, faults: Faults): PipelineStore {
  let commits = 0;
  return passingOn(store, {
    async claimHost() {
      faults.reach('before-claim');
      const sequencer = await store.claimHost();
      faults.reach('after-claim');
      return sequencer;
    },
    async claimWorker(slot) {
      faults.reach('before-worker-claim');
      const sequencer = await store.claimWorker(slot);
      faults.reach('after-worker-claim');
      return sequencer;
    },
    async commit(bundles) {
      faults.reach('before-commit');
      if (++commits === faults.plan.stallCommit) {
        await faults.hands.stall(bundles[0] as SealedBundle);
        setTimeout(() => faults.hands.killHost(), 150);
      }
      const appended = faults.without('split-commit')
        ? commitInHalves(store, bundles, faults)
        : store.commit(bundles);
      const outcomes = await during(appended, 'during-commit', faults);
      faults.reach('after-commit-before-acknowledge');
      return outcomes;
    },
    async fold(sequencer, batch) {
      faults.reach('before-fold');
      const outcome = await during(store.fold(sequencer, batch), 'during-fold', faults);
      faults.reach('after-fold');
      return outcome;
    },
    async releaseLog(sequencer, through) {
      faults.reach('before-release');
      await store.releaseLog(sequencer, through);
      faults.reach('after-release');
    },
    bundlesAfter: (after) => {
      if (faults.without('reapplied-prefix')) return withPrefixAgain(store, after);
      return faults.without('lost-far-timers') ? withoutFarTimers(store, after) : store.bundlesAfter(after);
    },
  });
}

/** The same store but for some calls. Its own stay bound to it: it may be an instance of a class. */
function passingOn(store: PipelineStore, instead: Partial<PipelineStore>): PipelineStore {
  return new Proxy(store, {
    get(target, name) {
      const found: unknown = Reflect.get(Object.hasOwn(instead, name) ? instead : target, name);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
}

function faultySinkContext(context: SinkContext, faults: Faults): SinkContext {
  return {
    ...context,
    async commit(mark, deadLetters, write) {
      faults.reach('before-sink-write');
      const { slowSinkMs } = faults.plan;
      if (slowSinkMs !== undefined) await new Promise((resolve) => setTimeout(resolve, slowSinkMs));
      const committed = context.commit(
        mark,
        deadLetters,
        write &&
          (async (sql) => {
            await write(sql);
            faults.reach('after-sink-write');
          }),
      );
      if (write === undefined) faults.reach('after-sink-write');
      await during(committed, 'during-sink-mark', faults);
      faults.reach('after-sink-mark');
    },
  };
}

/** Control "atomic commit": the state first, and in a transaction of its own everything that belongs to it. */
async function commitInHalves(
  store: PipelineStore,
  bundles: readonly SealedBundle[],
  faults: Faults,
): ReturnType<PipelineStore['commit']> {
  const half = (first: boolean): SealedBundle[] =>
    bundles.map((bundle) => ({
      ...bundle,
      bundleNumber: bundle.bundleNumber * 2 + (first ? 0 : 1),
      body: halfOf(bundle.body, first),
    }));
  await store.commit(half(true));
  faults.reach('between-halves');
  return store.commit(half(false));
}

/** `state`: changes of keys and nothing else; otherwise all but these. */
function halfOf(bytes: Uint8Array, state: boolean): Uint8Array {
  const body = readBundleBody(bytes);
  const writer = new BundleBodyWriter();
  forEachChange(body, ({ space, key, value }) => {
    if ((space !== META_SPACE) !== state) return;
    if (value === undefined) writer.remove(space, key);
    else writer.put(space, key, value);
  });
  if (!state) {
    for (const batch of body.batches) writer.batch(batch);
    for (const letter of body.deadLetters) writer.deadLetter(letter);
  }
  return writer.take();
}

/** Control "far timers": what is due is read from pages alone, as if no bundle were unfolded. */
async function* withoutFarTimers(
  store: PipelineStore,
  after: number,
): AsyncIterable<readonly LoggedBundle[]> {
  for await (const bundles of store.bundlesAfter(after))
    yield bundles.map((bundle) => ({ ...bundle, body: withoutDue(bundle.body) }));
}

function withoutDue(bytes: Uint8Array): Uint8Array {
  const body = readBundleBody(bytes);
  const writer = new BundleBodyWriter();
  forEachChange(body, ({ space, key, value }) => {
    if (space >= dueSpaceOf(0)) return;
    if (value === undefined) writer.remove(space, key);
    else writer.put(space, key, value);
  });
  for (const batch of body.batches) writer.batch(batch);
  for (const letter of body.deadLetters) writer.deadLetter(letter);
  return writer.take();
}

/** Control "post-images": changes that are long folded, applied once more on top of newer ones. */
async function* withPrefixAgain(store: PipelineStore, after: number): AsyncIterable<readonly LoggedBundle[]> {
  const position = await store.lastPosition();
  yield* store.bundlesAfter(after);
  const folded = await store.foldedThrough();
  for await (const bundles of store.bundlesAfter(0))
    yield bundles
      .filter((bundle) => bundle.position <= folded)
      .map((bundle) => ({ ...bundle, position, body: halfOf(bundle.body, true) }));
}
