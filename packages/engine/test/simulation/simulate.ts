/** Runs one scenario to its end and compares what it has left with what it must be. */

import { FAULT_CONTROLS, type FaultControl, Faults } from '../../src/faults.ts';
import type { RunOptions, RunResult } from '../../src/host/run-options.ts';
import type { PipelineStore } from '../../src/ports.ts';
import { runPipeline } from '../../src/run-pipeline.ts';
import { createHasher } from '../../src/worker/key-hash.ts';
import { SeededRandom } from '../seeded-random.ts';
import { Client } from './client.ts';
import { differences } from './differences.ts';
import { HostLife } from './host-life.ts';
import type { Hands } from './nodes.ts';
import type { Disturbance, Scenario } from './scenario.ts';
import { Outside, type SimulatedContext, simulatedConnectors } from './simulated-connectors.ts';
import { SimulatedDatabase, simulatedStore } from './simulated-store.ts';
import { SimulatedWorkers } from './simulated-workers.ts';
import { expectedOf, moduleFor, planFor, type SourceShape } from './topology.ts';
import { observedSince, type Version } from './versions.ts';
import { SimulatedProcess } from './virtual-time.ts';
import { WatermarkTrace } from './watermark-trace.ts';
import { World } from './world.ts';

export interface SimulationResult {
  readonly problems: readonly string[];
  readonly events: number;
  /** Virtual. */
  readonly seconds: number;
}

/** A run that takes longer is stuck. */
const LIMIT_MS = 600_000;
/** What is frozen when a run ends goes on, and may do no harm. */
const AFTERWARDS_MS = 30_000;
const MOST_HOSTS = 60;

/** A guard that is switched off on purpose (negative controls). */
export type SimulationControl =
  | FaultControl
  | 'unfenced'
  | 'wall-silence'
  | 'undrained'
  | 'kept-state'
  | 'split-redrive'
  | 'forgotten-requests';

export async function simulate(
  scenario: Scenario,
  controls: readonly SimulationControl[] = [],
  tell: (line: string) => void = () => undefined,
): Promise<SimulationResult> {
  // Compiled outside of virtual time: it takes as long as it takes.
  await createHasher();
  const simulation = new Simulation(scenario, controls, tell);
  return simulation.run();
}

class Simulation {
  readonly #scenario: Scenario;
  readonly #controls: readonly SimulationControl[];
  readonly #told: (line: string) => void;
  readonly #world: World;
  readonly #database = new SimulatedDatabase();
  readonly #outside = new Outside();
  /** What code remembers beyond its worker's end. */
  readonly #memory = { flaked: new Set<string>(), stalls: new Map<string, number>() };
  readonly #trace: WatermarkTrace;
  readonly #problems: string[] = [];
  readonly #clients = new Map<string, Client>();
  readonly #hosts: HostLife[] = [];
  /** The version that is wished for. */
  #wish = 1;
  #workers: number;
  #result: RunResult | undefined;

  constructor(scenario: Scenario, controls: readonly SimulationControl[], tell: (line: string) => void) {
    this.#told = tell;
    this.#scenario = scenario;
    this.#trace = new WatermarkTrace(
      scenario.disturbances.some(({ kind }) => kind === 'move' || kind === 'workers'),
      scenario.disturbances.some(({ kind }) => kind === 'workers'),
    );
    this.#controls = controls;
    this.#world = new World(new SeededRandom(scenario.seed ^ 0x51a11));
    this.#workers = scenario.workers;
    this.#outside.forgetsRequests = controls.includes('forgotten-requests');
    this.#database.isUnfenced = controls.includes('unfenced');
    this.#database.splitsRedrives = controls.includes('split-redrive');
    for (const { id, partitions } of scenario.topology.sources) this.#outside.sources.set(id, partitions);
    for (const { id, rows } of scenario.topology.tables)
      this.#outside.tables.set(
        id,
        rows.map((row) => JSON.stringify(row)),
      );
    this.#outside.isOver = (node) => this.#clients.get(node)?.isDone !== false;
  }

  async run(): Promise<SimulationResult> {
    const { time } = this.#world;
    for (const what of this.#scenario.disturbances) time.after(what.at, undefined, () => this.#disturb(what));
    time.after(0, undefined, () => this.#startHost());
    for (const source of this.#scenario.topology.sources) this.#beginClient(source);
    const how = await time.run(() => this.#result !== undefined || this.#problems.length > 0, LIMIT_MS);
    const seconds = time.elapsed / 1_000;
    if (this.#problems.length === 0 && how !== 'over') {
      this.#tell(`it stands like this: ${JSON.stringify(this.#current?.run?.runtime())}`);
      this.#problems.push(`stuck: ${how}`);
    }
    if (this.#problems.length === 0) {
      await time.run(() => false, time.elapsed + AFTERWARDS_MS);
      this.#compare();
    }
    for (const { process } of this.#hosts) process.kill();
    return { problems: this.#problems, events: time.events, seconds };
  }

  #compare(): void {
    const { topology } = this.#scenario;
    const letters = [...this.#database.letters.values()];
    this.#problems.push(
      ...differences(expectedOf(topology), this.#outside, letters, this.#result?.summary.nodes ?? []),
      ...this.#trace.problems,
    );
  }

  #beginClient({ id, posts }: SourceShape): void {
    if (posts === undefined) return;
    const client = new Client({
      world: this.#world,
      posts,
      door: () => this.#outside.doors.get(`${this.#current?.process.name} ${id}`),
      problem: (text) => this.#problem(text),
    });
    this.#clients.set(id, client);
    this.#world.time.after(0, undefined, () => client.begin());
  }

  get #current(): HostLife | undefined {
    return this.#hosts.at(-1);
  }

  // ---- hosts -----------------------------------------------------------------------------------------

  #startHost(): void {
    if (this.#hosts.length === MOST_HOSTS) return this.#problem(`${MOST_HOSTS} hosts have come and gone`);
    const world = this.#world;
    const process = new SimulatedProcess(`host ${this.#hosts.length}`);
    const workers = new SimulatedWorkers(
      world,
      process,
      (bundle, worker) => this.#moduleOf(Number(bundle), worker),
      !this.#controls.includes('wall-silence'),
    );
    const store = simulatedStore(world, process, this.#database);
    const host = new HostLife({
      process,
      workers,
      store,
      versions: this.#versions,
      wish: () => this.#wish,
      optionsOf: (version, more) => ({ ...this.#optionsOf(process, workers, store, version), ...more }),
      run: runPipeline,
      isHasty: this.#controls.includes('undrained'),
      keepsState: this.#controls.includes('kept-state'),
    });
    world.time.after(0, process, () => {
      this.#hosts.push(host);
      void host.live().then((result) => this.#ended(host, result));
    });
  }

  #moduleOf(number: number, worker: Pick<Hands, 'hang' | 'stall'>): unknown {
    const active = this.#database.active.map((each) => this.#versions[each - 1] as Version);
    const version = this.#versions[number - 1] as Version;
    return moduleFor(version, observedSince(active), { ...this.#memory, ...worker });
  }

  get #versions(): readonly Version[] {
    return this.#scenario.versions;
  }

  #optionsOf(
    process: SimulatedProcess,
    launcher: SimulatedWorkers,
    store: PipelineStore,
    version: Version,
  ): RunOptions {
    const world = this.#world;
    const { pace, weak } = this.#scenario;
    const plan = planFor(version.topology, weak);
    const controls = this.#controls;
    const faults = new Faults(
      { kills: [], ...pace, controls: controls.filter(isFaultControl) },
      {
        killHost: () => undefined,
        killWorker: () => undefined,
        killPostgres: () => undefined,
        stall: async () => undefined,
        committed: (position, slot, slots, watermarks) =>
          this.#trace.committed(
            position,
            slot,
            slots,
            new Map(plan.nodes.map(({ id }, i) => [id, watermarks[i]])),
          ),
      },
    );
    return {
      store,
      launcher,
      connectors: simulatedConnectors(world, process, this.#outside, (sequencer) =>
        this.#database.isFenced(sequencer),
      ),
      sinkContext: (node, hostSequencer) => {
        const context: SimulatedContext = { nodeName: node.name, hostSequencer, mark: async () => undefined };
        return context as never;
      },
      connectorContext: (node) => ({ nodeName: node.name }) as never,
      version: { number: version.number, plan, bundle: String(version.number) },
      workers: this.#workers,
      memoryMb: 256,
      faults,
      log: (message) => {
        this.#tell(`${process.name}: ${message}`);
        if (message.startsWith('ALARM')) this.#problem(message);
      },
    };
  }

  #ended(host: HostLife, result: RunResult): void {
    if (host !== this.#current || host.process.isDead) return;
    // Of its process nothing is left.
    host.process.kill();
    if (result.kind === 'done') this.#result = result;
    else if (result.kind === 'failed' && result.cause === 'code') this.#problem(`failed: ${result.error}`);
    else this.#world.time.after(50, undefined, () => this.#startHost());
  }

  #tell(line: string): void {
    this.#told(`${this.#world.time.elapsed.toFixed(1)} ms: ${line}`);
  }

  #problem(text: string): void {
    this.#problems.push(text);
  }

  // ---- what happens to them --------------------------------------------------------------------------

  #disturb(what: Disturbance): void {
    const { time } = this.#world;
    const host = this.#current;
    this.#tell(JSON.stringify(what));
    if (host === undefined || host.process.isDead || this.#result !== undefined) return;
    switch (what.kind) {
      case 'kill host':
        this.#workers = what.workers;
        return this.#killHost(host, what.downMs);
      case 'replace host':
        host.process.freeze();
        // What it had sent arrives when another owns the pipeline.
        if (what.holdsWire) host.process.wireHeldUntil = time.now + what.frozenMs;
        this.#workers = what.workers;
        time.after(what.frozenMs, undefined, () => time.thaw(host.process));
        return this.#startHost();
      case 'freeze host':
        return this.#freeze(host.process, what.frozenMs);
      case 'kill worker':
        return this.#workerOf(host, what.worker)?.kill();
      case 'freeze worker': {
        const worker = this.#workerOf(host, what.worker);
        if (worker !== undefined) this.#freeze(worker.process, what.frozenMs);
        return;
      }
      case 'database away':
        this.#world.databaseBackAt = Math.max(this.#world.databaseBackAt, time.now + what.awayMs);
        return;
      case 'drain':
        this.#workers = what.workers;
        return time.after(0, host.process, () => void host.run?.drain());
      case 'pause':
        time.after(0, host.process, () => host.run?.pause());
        return time.after(what.pausedMs, host.process, () => host.run?.resume());
      case 'deploy':
        this.#wish = Math.min(this.#wish + 1, this.#versions.length);
        this.#workers = what.workers;
        return time.after(0, host.process, () => {
          if (this.#controls.includes('undrained')) host.run?.abort();
          else void host.run?.drain();
        });
      case 'workers':
        this.#workers = what.workers;
        return time.after(0, host.process, () => this.#setWorkers(host, what.workers));
      case 'move':
        return time.after(0, host.process, () => this.#move(host, what));
      case 'redrive':
        if (what.dies) this.#database.hearsOfRedrive = () => this.#killHost(host, 100);
        return time.after(0, host.process, () => this.#redrive(host));
      case 'slow':
        this.#world.slow(what.way, what.factor);
        return time.after(what.slowMs, undefined, () => this.#world.slow(what.way, 1));
    }
  }

  #killHost(host: HostLife, downMs: number): void {
    if (host !== this.#current || host.process.isDead || this.#result !== undefined) return;
    host.process.kill();
    this.#world.time.after(downMs, undefined, () => this.#startHost());
  }

  /** Refused where there is no such worker or node. */
  #move({ run }: HostLife, { node, start, end, to }: Extract<Disturbance, { kind: 'move' }>): void {
    const { nodes } = this.#scenario.topology;
    const id = node === undefined ? undefined : nodes[node % nodes.length]?.id;
    const all = 4294967296;
    const range = { start: Math.floor(start * all), end: Math.ceil(end * all), to };
    run
      ?.moveKeys({ ...range, nodes: id === undefined ? undefined : [id] })
      .then((answer) => this.#tell(`keys for worker ${to}: ${JSON.stringify(answer)}`))
      .catch((error: unknown) => this.#problem(`move: ${String(error)}`));
  }

  #setWorkers({ run, process }: HostLife, workers: number): void {
    run
      ?.setWorkers(workers)
      .then(() => this.#tell(`${process.name}: there are ${run.runtime()?.workers.length} workers`))
      .catch((error: unknown) => this.#problem(`workers: ${String(error)}`));
  }

  /** Refused where nobody would take them; what is refused stays. */
  #redrive({ run }: HostLife): void {
    const all = { group: '', above: 0, upTo: Number.MAX_SAFE_INTEGER };
    run?.redrive(all).catch(() => undefined);
  }

  #workerOf({ workers }: HostLife, which: number): SimulatedWorkers['workers'][number] | undefined {
    const { alive } = workers;
    return alive[which % Math.max(1, alive.length)];
  }

  #freeze(process: SimulatedProcess, ms: number): void {
    process.freeze();
    this.#world.time.after(ms, undefined, () => this.#world.time.thaw(process));
  }
}

function isFaultControl(control: SimulationControl): control is FaultControl {
  return (FAULT_CONTROLS as readonly string[]).includes(control);
}
