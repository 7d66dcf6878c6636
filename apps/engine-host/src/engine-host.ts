/**
 * The process that runs every deployed pipeline, without the process: what it does between `begin` and its end.
 *
 * EH1 It claims the deployments before it looks at one, so that every older host is fenced (DS2).
 * EH2 A host that was followed by another ends: it would only fight it.
 * EH3 When the channel closes its server is gone, and it ends at once; workers end with it.
 */

import type { IngestListener } from '@millrace/connectors';
import type { HostSettings, Observation, ToHost } from '@millrace/protocol/control';
import { createWorkerLauncher } from '@millrace/sandbox';
import { accessStore, type Deployment, openKeyring, openStore, secretStore } from '@millrace/store';
import type { ControlChannel } from './channel/control-channel.ts';
import { type ProgressOutbox, progressOutbox } from './channel/progress-outbox.ts';
import { toldProgress } from './channel/told-progress.ts';
import { openIngest } from './ingest/open-ingest.ts';
import { LogBook } from './logs/log-book.ts';
import { checkingVersions } from './pipelines/check-version.ts';
import { PipelineRunner } from './pipelines/pipeline-runner.ts';
import { startGate } from './pipelines/start-gate.ts';
import { type Surroundings, startingRuns } from './pipelines/version-run.ts';
import { answerRequest } from './requests/request-handlers.ts';
import { endOlderHosts } from './takeover/end-older-hosts.ts';
import { ownIdentity } from './takeover/process-identity.ts';
import { type HostTaps, hostTaps } from './taps/host-taps.ts';

/** Starts at once: each is a process that loads code, and there are few cores. */
const STARTS_AT_ONCE = 4;

export class EngineHost {
  readonly #channel: ControlChannel;
  readonly #surroundings: Surroundings;
  readonly #number: number;
  readonly #holdPaused: boolean;
  readonly #outbox: ProgressOutbox;
  readonly #taps: HostTaps;
  readonly #gate = startGate(STARTS_AT_ONCE);
  readonly #fenced: () => void;
  readonly #listener: IngestListener;
  readonly #runners = new Map<string, { runner: PipelineRunner; ended: Promise<void> }>();
  /** Of pipelines that are deployed. */
  readonly #logs = new Map<string, LogBook>();
  #stopping = false;

  private constructor(
    channel: ControlChannel,
    surroundings: Surroundings,
    claimed: { number: number; holdPaused: boolean; fenced: () => void; listener: IngestListener },
  ) {
    this.#channel = channel;
    this.#surroundings = surroundings;
    this.#number = claimed.number;
    this.#holdPaused = claimed.holdPaused;
    this.#fenced = claimed.fenced;
    this.#listener = claimed.listener;
    this.#taps = hostTaps((message) => channel.send(message));
    this.#outbox = progressOutbox(
      (progress) => channel.send({ type: 'progress', progress }),
      (pipeline, { message }) =>
        surroundings.log(pipeline, `Its numbers are not shown, for one is wrong: ${message}`),
    );
  }

  /** Opens the store, follows older hosts and takes every deployment up. `fenced`: another host has followed. */
  static async begin(
    channel: ControlChannel,
    settings: HostSettings,
    fenced: () => void,
  ): Promise<EngineHost> {
    const note = (text: string, pipeline?: string) =>
      channel.send({ type: 'note', text, ...(pipeline === undefined ? {} : { pipeline }) });
    const store = await openStore(settings.database, (text) => note(text));
    const { host: number, deployments, older } = await store.deployments.claim(ownIdentity());
    await store.deployments.forgetHosts(await endOlderHosts(older, note));
    const place = { dataDir: settings.dataDir, env: process.env };
    const secrets = secretStore(store.database, () => openKeyring(place));
    const { listener, door } = await openIngest(note);
    const surroundings: Surroundings = {
      connectorsFor: listener.connectorsFor,
      store,
      launcher: createWorkerLauncher({ log: note }),
      dataDir: settings.dataDir,
      secret: secrets.resolve,
      access: accessStore(store.database).read,
      log: (pipeline, text) => note(text, pipeline),
    };
    const host = new EngineHost(channel, surroundings, {
      number,
      holdPaused: settings.holdPaused,
      fenced,
      listener,
    });
    channel.send({ type: 'ready', ingest: door });
    for (const deployment of deployments) host.#take(deployment);
    return host;
  }

  hear(message: Exclude<ToHost, { type: 'begin' | 'stop' }>): void {
    switch (message.type) {
      case 'nudge':
        this.#nudged(message.pipeline);
        break;
      case 'progress-taken':
        this.#outbox.taken(message.pipeline);
        break;
      case 'tap-taken':
        this.#taps.taken(message.tap);
        break;
      case 'ping':
        this.#channel.send({ type: 'pong', id: message.id });
        break;
      case 'request':
        this.#answer(message);
    }
  }

  /** Ends every run without waiting for what is in flight, which the next start takes up. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const { store, launcher } = this.#surroundings;
    for (const { runner } of this.#runners.values()) runner.stop();
    await Promise.all([...this.#runners.values()].map(({ ended }) => ended));
    await this.#listener.close();
    await launcher.close();
    await store.close();
  }

  #answer({ id, kind, body }: Extract<ToHost, { type: 'request' }>): void {
    const context = {
      ...this.#surroundings,
      taps: this.#taps,
      logs: (pipeline: string) => this.#logsOf(pipeline),
      runner: (pipeline: string) => this.#runners.get(pipeline)?.runner,
    };
    void answerRequest(kind, body, context).then((outcome) =>
      this.#channel.send({ type: 'answer', id, outcome }),
    );
  }

  #logsOf(pipeline: string): LogBook {
    let book = this.#logs.get(pipeline);
    if (book === undefined) {
      book = new LogBook();
      // What was only asked about keeps nothing.
      if (this.#runners.has(pipeline)) this.#logs.set(pipeline, book);
    }
    return book;
  }

  #nudged(pipeline: string): void {
    const known = this.#runners.get(pipeline);
    if (known !== undefined) return known.runner.nudge();
    void this.#surroundings.store.deployments
      .get(pipeline)
      .then((deployment) => deployment !== undefined && this.#take(deployment))
      // A closed store: the host is stopping.
      .catch(() => {});
  }

  #take(deployment: Deployment): void {
    const { pipeline } = deployment;
    if (this.#stopping || this.#runners.has(pipeline)) return;
    const runner = this.#runner(deployment);
    const ended = runner.run(deployment).then(() => {
      this.#runners.delete(pipeline);
      this.#outbox.forget(pipeline);
      this.#logs.delete(pipeline);
      // A deployment that was removed and made again while its runner ended.
      if (!this.#stopping) this.#nudged(pipeline);
    });
    this.#runners.set(pipeline, { runner, ended });
  }

  #runner({ pipeline }: Deployment): PipelineRunner {
    const { store, log } = this.#surroundings;
    return new PipelineRunner({
      pipeline,
      load: (id) => store.deployments.get(id),
      open: (id) => store.pipeline(id),
      check: checkingVersions(this.#surroundings),
      start: startingRuns(this.#surroundings),
      gate: this.#gate,
      observe: (observation) => this.#observe(observation),
      onProgress: (version, progress) => this.#outbox.put(toldProgress(pipeline, version, progress)),
      onLogs: (lines, cut) => this.#logsOf(pipeline).add(lines, cut),
      log: (message) => log(pipeline, message),
      now: Date.now,
      holdPaused: this.#holdPaused,
    });
  }

  async #observe(observation: Observation): Promise<void> {
    const outcome = await this.#surroundings.store.deployments.observe(this.#number, observation);
    if (outcome === 'kept') return this.#channel.send({ type: 'observed', observation });
    this.#fenced();
    throw new Error('another engine host has taken over');
  }
}
