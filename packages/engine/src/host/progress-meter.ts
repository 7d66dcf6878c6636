/**
 * Turns committed counters into what people watch: rates, watermarks, backlog. Read when somebody asks; by
 * itself only for `onProgress`.
 *
 * Everything in one reading is of one epoch: it is made in one step, between two commits.
 */
import type { Counts } from './counts.ts';
import type { RunFigures } from './run-figures.ts';
import type { NodeCounts, NodeProgress, Progress, RunOptions, StreamProgress } from './run-options.ts';

const EVERY_MS = 100;
/** Rates are taken over about this long, so that they neither jump nor lag. */
const WINDOW_MS = 1_000;
/** Readings closer to each other than this add nothing to a window. */
const CLOSEST_MS = 50;
/** A bundle may take a quarter of a second; beyond this nothing is being done. */
const BETWEEN_COMMITS_MS = 500;

interface Reading {
  readonly at: number;
  /** Of when its counters are: they step with each commit, and a rate is taken from step to step. */
  readonly countedAt: number;
  readonly nodes: readonly NodeCounts[];
  readonly produced: readonly number[];
  readonly busyMs: readonly number[];
  readonly bundles: number;
}

export class ProgressMeter {
  readonly #options: RunOptions;
  readonly #counts: Counts;
  readonly #figures: RunFigures;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  readonly #waitingSince = new Map<number, number>();
  /** The oldest is the last one before the window began. */
  #readings: Reading[] = [];

  constructor(options: RunOptions, counts: Counts, figures: RunFigures, everyMs = EVERY_MS) {
    this.#options = options;
    this.#counts = counts;
    this.#figures = figures;
    this.every(everyMs);
  }

  /** How often `onProgress` is called from now on. */
  every(ms: number): void {
    if (this.#options.onProgress === undefined || this.#closed) return;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#report(), ms);
  }

  close(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#closed = true;
    this.#report();
  }

  read(): Progress {
    const reading = this.#take();
    const before = this.#before(reading);
    const seconds = Math.max(0.001, (reading.countedAt - before.countedAt) / 1000);
    const wall = this.#options.clock?.now() ?? Date.now();
    return {
      at: wall,
      position: this.#figures.position,
      nodes: reading.nodes.map((_, index) => this.#node(index, { reading, before, seconds, wall })),
      streams: reading.produced.map((_, index) => this.#stream(index, before, seconds)),
      commits: {
        bundleRate: (reading.bundles - before.bundles) / seconds,
        ...this.#figures.commits.percentiles(),
      },
      unfoldedBytes: this.#figures.unfoldedBytes,
    };
  }

  #report(): void {
    this.#options.onProgress?.(this.read());
  }

  #take(): Reading {
    const { nodes } = this.#counts.summary();
    const { streams } = this.#options.version.plan;
    const at = performance.now();
    const { lastAt } = this.#figures.commits;
    return {
      at,
      countedAt: at - lastAt < BETWEEN_COMMITS_MS ? lastAt : at,
      nodes,
      produced: streams.map(({ index }) => this.#counts.stream(index).produced),
      busyMs: nodes.map((_, index) => this.#figures.busy.msOf(index)),
      bundles: this.#figures.commits.bundles,
    };
  }

  /** The reading to compare with: the newest that is at least a window old, else the oldest there is. */
  #before(reading: Reading): Reading {
    const readings = this.#readings;
    while (readings.length > 1 && reading.at - (readings[1] as Reading).at >= WINDOW_MS) readings.shift();
    const before = readings[0] ?? reading;
    if (reading.at - (readings.at(-1)?.at ?? Number.NEGATIVE_INFINITY) >= CLOSEST_MS) readings.push(reading);
    return before;
  }

  #node(index: number, { reading, before, seconds, wall }: Moment & { wall: number }): NodeProgress {
    const node = reading.nodes[index] as NodeCounts;
    const old = before.nodes[index] ?? node;
    const { kind } = this.#options.version.plan.nodes[index] as { kind: NodeProgress['kind'] };
    const watermark = this.#figures.watermarkOf(index);
    const {
      in: input,
      redriven,
      out,
      deadLettered,
      late,
      droppedLate,
      setAside,
      waiting,
      counts,
      countsCut,
    } = node;
    const spent = (reading.busyMs[index] as number) - (before.busyMs[index] ?? 0);
    return {
      node: node.node,
      name: node.name,
      kind,
      in: input,
      redriven,
      out,
      inRate: (input - old.in) / seconds,
      // A row that its target refuses was counted as written until then.
      outRate: Math.max(0, out - old.out) / seconds,
      deadLettered,
      late,
      droppedLate,
      setAside,
      waiting,
      ...(kind === 'sink'
        ? {}
        : { busy: Math.min(1, spent / Math.max(1, (reading.at - before.at) * this.#figures.workers)) }),
      counts,
      countsCut,
      watermark,
      backlog: this.#figures.backlogOf(index) + waiting,
      ...(watermark.kind === 'at' ? { lagMs: wall - watermark.time } : {}),
      ...latencyOf(this.#figures.latencyOf(index, wall)),
      ...this.#workLag(index, node, wall),
      ...skewOf(this.#figures.aheadOf(index)),
    };
  }

  #stream(index: number, before: Reading, seconds: number): StreamProgress {
    const { streams, nodes } = this.#options.version.plan;
    const { id, to } = streams[index] as (typeof streams)[number];
    const { produced, delivered } = this.#counts.stream(index);
    const redriven = this.#counts.redrivenOn(index);
    const inFlight = this.#figures.inFlightOf(index);
    return {
      stream: id,
      produced,
      redriven,
      // A sink takes its rows in the host, which knows what it has not taken.
      delivered: nodes[to]?.kind === 'sink' ? produced + redriven - inFlight : delivered,
      inFlight,
      rate: (produced - (before.produced[index] ?? produced)) / seconds,
    };
  }

  /** What waits in a worker is as old as the first moment at which it was seen to wait. */
  #workLag(index: number, { waiting }: NodeCounts, wall: number): { workLagMs?: number } {
    if (waiting === 0) this.#waitingSince.delete(index);
    else if (!this.#waitingSince.has(index)) this.#waitingSince.set(index, wall);
    const since = Math.min(
      this.#figures.workSince(index) ?? Infinity,
      this.#waitingSince.get(index) ?? Infinity,
    );
    return since === Infinity ? {} : { workLagMs: Math.max(0, wall - since) };
  }
}

function latencyOf(latency: NodeProgress['latency'] | undefined): Pick<NodeProgress, 'latency'> {
  return latency === undefined ? {} : { latency };
}

interface Moment {
  readonly reading: Reading;
  readonly before: Reading;
  readonly seconds: number;
}

/** A peer that has not reported yet is infinitely far behind, which no frame carries. */
function skewOf(aheadMs: number | undefined): { aheadMs?: number } {
  return aheadMs === undefined ? {} : { aheadMs: Math.min(aheadMs, Number.MAX_SAFE_INTEGER) };
}
