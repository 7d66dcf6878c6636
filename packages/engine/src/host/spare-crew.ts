/**
 * The spares of one slot: processes without a lease that try the inputs its worker holds (P8).
 *
 * Owns: the spares' life; what they are handed of the store; what the slot's worker is told of their trials.
 * Does not own: which spare tries what (`trials`), what a death proves (`worker-health`), what is held (`suspicion` in
 * the worker).
 *
 * Nothing but advice comes of it: which inputs that wait in the slot's worker may run, and which it sets aside.
 */
import {
  type FetchResult,
  MOST_SUSPECTS,
  readKeyPrefix,
  readParkedSequence,
  type SpaceKind,
  type StoreEntry,
  spaceOf,
  type WorkerConfiguration,
  type WorkerFrame,
} from '@millrace/protocol';
import { WORKER_BACKLOG_BYTES } from './bounds.ts';
import { messageOf } from './ending.ts';
import { answerFetch } from './fetch-rules.ts';
import { checkOwner, type Owners } from './frame-rules.ts';
import type { Recovered } from './recovery.ts';
import type { RunOptions } from './run-options.ts';
import { AT_WORK } from './silence.ts';
import { type HandedTrial, SpareLink } from './spare-link.ts';
import type { TableStandings } from './table-standings.ts';
import { type Decision, type SpareSilence, type Suspect, Trials } from './trials.ts';
import { describeDeath, WorkerHealth } from './worker-health.ts';
import type { WorkerDeath, WorkerLink } from './worker-link.ts';

export interface SpareCrewOptions {
  readonly run: RunOptions;
  readonly recovered: Recovered;
  readonly slot: number;
  readonly owners: Owners;
  readonly tables: TableStandings;
  readonly now: () => number;
  /** What a spare is told of the pipeline. */
  readonly configuration: () => WorkerConfiguration;
  /** Of the slot's workers, the next ones included. */
  readonly health: WorkerHealth;
  /** What was held runs, untried. */
  readonly gaveUp: () => void;
  readonly failed: (error: string) => void;
}

/** Inputs of a key that are tried in one go; of larger ones fewer, and one is sure to fit. */
const MOST_INPUTS = [16_384, 256, 1] as const;
const MOST_TIMERS = 4_096;
const MOST_TRIAL_BYTES = 48 * 1024 * 1024;
const LONGEST_PREFIX = 64 * 1024;
const ROOM_CHECK_MS = 20;

export class SpareCrew {
  readonly #options: SpareCrewOptions;
  readonly #links = new Map<number, SpareLink>();
  /** Of the slot's worker, while it holds anything; the spares' own health says who is guilty. */
  #link: WorkerLink | undefined;
  #trials: Trials;
  #spareHealth = new WorkerHealth(true);
  #spares = 0;
  #asked = 0;
  #isGivenUp = false;

  constructor(options: SpareCrewOptions) {
    this.#options = options;
    this.#trials = new Trials(options.now());
  }

  /** A worker that holds its suspects has the slot. */
  begin(link: WorkerLink): void {
    this.end();
    this.#link = link;
    this.#asked = 0;
    this.#isGivenUp = false;
    this.#trials = new Trials(this.#options.now());
    this.#spareHealth = new WorkerHealth(true);
    this.#decide();
  }

  /** It is gone, or the run is over. */
  end(): void {
    this.#link = undefined;
    for (const link of this.#links.values()) link.kill('it is needed no more');
    this.#links.clear();
  }

  /** Something is on trial, or waits for one. */
  get isBusy(): boolean {
    return this.#link !== undefined && !this.#isGivenUp && this.#trials.outstanding > 0;
  }

  /** The slot's worker asks for a key; throws when it is not its to ask. */
  ask(
    from: WorkerLink,
    { number, node, prefix, watermark }: Extract<WorkerFrame, { kind: 'suspect' }>,
  ): void {
    const { run, slot, owners, now } = this.#options;
    if (from !== this.#link) throw new Error('it holds input that nobody suspects');
    if (number !== ++this.#asked) throw new Error(`question ${number} after question ${this.#asked - 1}`);
    if (this.#isGivenUp || run.faults?.plan.runsUntried === true)
      return from.cleared(number, Number.MAX_SAFE_INTEGER);
    if (this.#trials.outstanding >= MOST_SUSPECTS) throw new Error('it asks for too many keys at once');
    if (run.version.plan.nodes[node]?.kind !== 'computation') throw new Error(`node ${node} holds no input`);
    if (prefix.length > LONGEST_PREFIX) throw new Error(`a key of ${prefix.length} bytes`);
    checkOwner(prefix, 0, prefix.length, slot, owners, node);
    if (readKeyPrefix(prefix).end !== prefix.length) throw new Error('it asks for more than a key');
    this.#trials.asked({ number, node, prefix: Uint8Array.from(prefix), watermark }, now());
    this.#decide();
  }

  /** Ten times a second. `pauseMs`: the host did not run. */
  watch(pauseMs: number): void {
    if (this.#link === undefined || this.#isGivenUp) return;
    for (const link of this.#links.values()) link.excuse(pauseMs);
    this.#decide();
  }

  #decide(): void {
    const silenceOf = (spare: number): SpareSilence => {
      const link = this.#links.get(spare);
      return { ms: link?.silentMs ?? 0, verdict: link?.judgeSilence(AT_WORK) ?? 'patience' };
    };
    for (const decision of this.#trials.decide(this.#options.now(), silenceOf)) this.#carryOut(decision);
  }

  #carryOut(decision: Decision): void {
    switch (decision.kind) {
      case 'start':
        return this.#watched(this.#start(++this.#spares));
      case 'hand':
        return this.#watched(this.#hand(decision.spare, decision.suspects));
      case 'end':
        return this.#links.get(decision.spare)?.kill(decision.reason, decision.isDoubtful);
      case 'give-up': {
        const link = this.#link;
        this.#options.run.log(
          `worker ${this.#options.slot}: it could not be found out which input ended it; its inputs run on, one by one`,
        );
        link?.trust(true);
        this.end();
        // What it asked before it heard of that is answered by it.
        this.#link = link;
        this.#isGivenUp = true;
        this.#options.gaveUp();
      }
    }
  }

  // ---- a spare's life --------------------------------------------------------------------------------

  async #start(spare: number): Promise<void> {
    const { run, slot, now, configuration } = this.#options;
    const of = this.#link;
    const trials = this.#trials;
    trials.started(spare, now());
    const name = `${run.version.plan.name} spare ${slot}`;
    const process = await run.launcher.launch({ name, memoryMb: run.memoryMb }).catch(() => undefined);
    const isOurs = () => this.#link === of && of !== undefined && this.#trials === trials;
    if (process === undefined) return trials.ended(spare, 'nothing', now());
    if (!isOurs()) return process.kill('it is needed no more');
    const link: SpareLink = new SpareLink(
      process,
      {
        ready: () => {
          trials.ready(spare);
          if (isOurs()) this.#decide();
        },
        tried: (over, spent) => {
          if (isOurs()) this.#tried(spare, over, spent);
        },
        fetch: (request, scans) => {
          void this.#answer(link, request, answerFetch(this.#options.recovered.paged, scans));
        },
        exit: (death) => {
          if (isOurs()) this.#ended(spare, death);
        },
      },
      now,
    );
    this.#links.set(spare, link);
    link.configure(configuration(), run.version.bundle);
  }

  /** What cannot be read ends the pipeline where it counts, not here. */
  async #answer(link: SpareLink, request: number, found: Promise<readonly FetchResult[]>): Promise<void> {
    try {
      link.fetched(request, await found);
    } catch (error) {
      link.kill(`state cannot be read: ${messageOf(error)}`);
    }
  }

  async #hand(spare: number, suspects: readonly Suspect[]): Promise<void> {
    const trials = this.#trials;
    for (const { number, node, prefix, watermark } of suspects) {
      await this.#room(spare);
      const entries = await this.#storedOf(node, prefix);
      const link = this.#links.get(spare);
      // Given back meanwhile: somebody else has it.
      if (link === undefined || this.#trials !== trials || !trials.hasInHand(spare, number)) return;
      const { poison } = this.#options.health.startMode;
      const tables = Object.fromEntries(this.#options.tables.all);
      link.hand({
        trial: { kind: 'trial', number, node, watermark, tables, entries, poison },
        space: this.#space(node, 'state'),
        prefix,
        through: lastSequence(entries, this.#space(node, 'parked'), prefix.length),
      });
    }
  }

  async #room(spare: number): Promise<void> {
    while ((this.#links.get(spare)?.queuedBytes ?? 0) > WORKER_BACKLOG_BYTES)
      await new Promise((resolve) => setTimeout(resolve, ROOM_CHECK_MS));
  }

  /** What a key's worker would be handed at its start; of what waits, the first. */
  async #storedOf(node: number, prefix: Uint8Array): Promise<StoreEntry[]> {
    const { paged } = this.#options.recovered;
    const scans = (inputs: number) => [
      { space: this.#space(node, 'parked'), prefix, limit: inputs },
      { space: this.#space(node, 'timers'), prefix, limit: MOST_TIMERS },
      { space: this.#space(node, 'holds'), prefix, limit: 1 },
    ];
    const read = (inputs: number) => paged.scan(scans(inputs), { bytes: MOST_TRIAL_BYTES });
    const [many, some, one] = MOST_INPUTS;
    const found = await read(many)
      .catch(() => read(some))
      .catch(() => read(one));
    return found.flatMap(({ entries }, i) =>
      entries.map(({ key, value }) => ({ space: scans(1)[i]?.space as number, key, value })),
    );
  }

  #space(node: number, kind: SpaceKind): number {
    return spaceOf(this.#options.recovered.nodeNumbers[node] as number, kind);
  }

  #tried(spare: number, { trial, through }: HandedTrial, spent: boolean): void {
    // Of one that was given back somebody else will say it.
    if (this.#trials.onTrial(spare)?.number === trial.number) {
      this.#trials.tried(spare, spent, this.#options.now());
      this.#link?.cleared(trial.number, through);
    }
    this.#decide();
  }

  #ended(spare: number, death: WorkerDeath): void {
    this.#links.delete(spare);
    const condemned = this.#trials.onTrial(spare) === undefined ? undefined : this.#verdict(death);
    const end = condemned !== undefined ? 'condemned' : death.lastInput !== undefined ? 'named' : 'nothing';
    this.#trials.ended(spare, end, this.#options.now());
    if (condemned !== undefined) {
      this.#options.run.log(
        `worker ${this.#options.slot}: an input was found that ends workers (${describeDeath(death)}); it is set aside`,
      );
      this.#options.health.condemn(...condemned);
      this.#link?.condemned(...condemned);
    }
    this.#decide();
  }

  /** The input that is guilty of a spare's end, and what its letter will say. */
  #verdict(death: WorkerDeath): [input: string, reason: string] | undefined {
    const known = new Set(Object.keys(this.#spareHealth.startMode.poison));
    if (this.#spareHealth.died(death).kind === 'give-up') this.#trials.giveUp();
    return Object.entries(this.#spareHealth.startMode.poison).find(([input]) => !known.has(input));
  }

  #watched(work: Promise<void>): void {
    work.catch((error: unknown) => this.#options.failed(`an input cannot be tried: ${messageOf(error)}`));
  }
}

/** Of the inputs among the entries; 0: there are none. */
function lastSequence(entries: readonly StoreEntry[], parked: number, prefixLength: number): number {
  let last = 0;
  for (const { space, key } of entries)
    if (space === parked && key.length === prefixLength + 8)
      last = Math.max(last, readParkedSequence(key, prefixLength));
  return last;
}
