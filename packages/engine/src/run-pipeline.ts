/**
 * Runs a version of a pipeline in one store. A changed number of workers is a deploy: what the old number had
 * on its way is finished by as many workers first, then the keys change hands.
 */

import { metaKeys } from '@millrace/protocol';
import { withFaults } from './faults.ts';
import { Accounts } from './host/accounts.ts';
import { Counts } from './host/counts.ts';
import { causeOf, type Ending, messageOf, TakenOver } from './host/ending.ts';
import { movesOf } from './host/move-request.ts';
import { PipelineHost } from './host/pipeline-host.ts';
import { ProgressMeter } from './host/progress-meter.ts';
import { traceOf } from './host/record-trace.ts';
import { numberBytes, type Recovered, recover } from './host/recovery.ts';
import type { PipelineRun, RunOptions, RunResult } from './host/run-options.ts';
import { changeSlots } from './host/slot-change.ts';
import { watermarkCauseOf } from './host/watermark-cause.ts';

export function runPipeline(given: RunOptions): PipelineRun {
  const options = withFaults(given);
  let current:
    | { readonly host: PipelineHost; readonly meter: ProgressMeter; readonly accounts: Accounts }
    | undefined;
  let wish: 'drain' | 'abort' | undefined;
  let held = options.paused ?? false;
  let { workers } = options;
  let everyMs = options.progressEveryMs;

  async function host(
    recovered: Recovered,
    counts: Counts,
    slots: number,
    draining: boolean,
  ): Promise<Ending> {
    const running = new PipelineHost({
      run: { ...options, workers },
      recovered,
      counts,
      slots,
      draining: draining || wish === 'drain',
      lettersOnly: options.lettersOnly,
      held,
    });
    if (wish === 'abort') return { kind: 'drained' };
    const meter = new ProgressMeter(options, counts, running.figures, everyMs);
    const begunAt = running.figures.position;
    const accounts = new Accounts({
      counts,
      inFlightOf: (stream) => running.figures.inFlightOf(stream),
      // Until the new owner has them, what waited is in nobody's count.
      isBetween: () => running.intervals.phase === 'given',
      isOwner: () => running.figures.position > begunAt,
      alarm: (text) => options.log(`ALARM: ${text}`),
    });
    current = { host: running, meter, accounts };
    const ending = await running.run();
    meter.close();
    accounts.close(ending.kind === 'failed' && ending.cause === 'fenced');
    return ending;
  }

  async function run(): Promise<RunResult> {
    const recovered = await recover(
      options.store,
      options.version.plan,
      options.clock?.now ?? Date.now,
      options.faults,
    );
    const counts = new Counts(options.version.plan, recovered.nodeNumbers);
    await counts.load(recovered.paged);
    const before = recovered.slots;
    if (before === undefined) recovered.paged.putMeta(metaKeys.workers(), numberBytes(workers));
    // Node numbers and the number of workers must be durable before a bundle relies on them.
    await foldNow(recovered);
    const takesNothingNew = options.drainOnly === true || options.lettersOnly !== undefined;
    // One that was begun goes on by moves.
    const goesOn = recovered.intervals.goal === workers;
    if (before !== undefined && before !== workers && !goesOn && !takesNothingNew) {
      const drained = await host(recovered, counts, before, true);
      if (drained.kind === 'failed' || wish !== undefined) return result(drained, counts);
      await changeSlots(recovered.paged, recovered.nodeNumbers, before, workers);
      // Refused if another host has taken over meanwhile. Whoever claims reads everything anew: what is in memory here
      // is as old as the last claim.
      await foldNow(recovered);
      return run();
    }
    const slots = before ?? workers;
    const ending = await host(recovered, counts, slots, options.drainOnly ?? false);
    if (ending.kind === 'drained' && options.drainOnly && (options.dropState?.length ?? 0) > 0) {
      await recovered.paged.dropNodes(options.dropState ?? [], options.version.plan, recovered.nodeNumbers);
      await foldNow(recovered);
    }
    return result(ending, counts);
  }

  async function foldNow(recovered: Recovered): Promise<void> {
    if (!recovered.paged.hasPending) return;
    const outcome = await recovered.paged.fold(
      recovered.hostSequencer,
      { undelivered: [], delivered: [] },
      Date.now(),
    );
    if (outcome === 'fenced') throw new TakenOver();
  }

  const finished = run().catch(
    (error: unknown): RunResult => ({
      kind: 'failed',
      error: messageOf(error),
      cause: causeOf(error),
      summary: { nodes: [] },
    }),
  );
  return {
    finished,
    async drain() {
      wish ??= 'drain';
      current?.host.drain();
      await finished;
    },
    abort() {
      wish = 'abort';
      current?.host.abort();
    },
    progress: () => current?.meter.read(),
    state: () => current?.host.state,
    runtime: () => current && { ...current.host.runtime, imbalances: current.accounts.standing },
    cause: async (id) => current && watermarkCauseOf(current.host.causes, id),
    trace: async (id) => current && traceOf(id, options.version.plan, current.host.taps.kept),
    async redrive(choice) {
      if (current === undefined) throw new Error('the pipeline has not taken up its state yet');
      return current.host.redriver.redrive(choice);
    },
    async setWorkers(wanted) {
      workers = wanted;
      // Before it has begun it begins with as many.
      if (current === undefined || current.host.isOver) return;
      await Promise.race([current.host.crewChange.want(wanted), finished]);
    },
    async moveKeys(request) {
      if (current === undefined || current.host.isOver)
        return { kind: 'refused', reason: 'the pipeline does not run' };
      const { host } = current;
      const asked = movesOf(request, options.version.plan, host.intervals);
      if (asked.kind === 'refused') return asked;
      // What moves meanwhile may have other owners by then.
      for (const move of asked.moves) await Promise.race([host.mover.move(move), finished]);
      return { kind: 'moved', moves: asked.moves.length };
    },
    tap(streams, limits, pass) {
      const wanted = options.version.plan.streams.filter(({ id }) => streams.includes(id));
      if (current === undefined || wanted.length === 0) return undefined;
      return current.host.taps.open(
        wanted.map(({ index }) => index),
        limits,
        pass,
      );
    },
    pause() {
      held = true;
      current?.host.hold(true);
    },
    resume() {
      held = false;
      current?.host.hold(false);
    },
    progressEvery(ms) {
      everyMs = ms;
      current?.meter.every(ms);
    },
  };
}

function result(ending: Ending, counts: Counts): RunResult {
  const summary = counts.summary();
  return ending.kind === 'failed'
    ? { kind: 'failed', error: ending.error, cause: ending.cause, summary }
    : { kind: ending.kind, summary };
}
