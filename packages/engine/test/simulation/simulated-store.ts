/** One database for all hosts of a run, and each host's way to it. */
import { TakenOver } from '../../src/host/ending.ts';
import type { PipelineStore } from '../../src/ports.ts';
import { MemoryStore } from '../../src/testing/memory-store.ts';
import type { SimulatedProcess } from './virtual-time.ts';
import type { World } from './world.ts';

/** The store as the host in `process` reaches it: every call is a request and an answer, each on its way for a while. */
export function simulatedStore(
  world: World,
  process: SimulatedProcess,
  database: MemoryStore,
): PipelineStore {
  const call = <T>(work: () => Promise<T> | T): Promise<T> => world.call(process, 'store', work);
  let own = 0;
  return {
    async claimHost() {
      own = await call(() => database.claimHost());
      return own;
    },
    claimWorker: (slot) =>
      call(() => {
        if (database.isFenced(own)) throw new TakenOver();
        return database.claimWorker(slot);
      }),
    commit: (bundles) => call(() => database.commit(bundles)),
    async *bundlesAfter(after) {
      const found = await call(async () => {
        const all = [];
        for await (const bundles of database.bundlesAfter(after)) all.push(...bundles);
        return all;
      });
      if (found.length > 0) yield found;
    },
    lastPosition: () => call(() => database.lastPosition()),
    foldedThrough: () => call(() => database.foldedThrough()),
    pageDirectory: () => call(() => database.pageDirectory()),
    readPages: (space, starts) => call(() => database.readPages(space, starts)),
    fold: (sequencer, batch) => call(() => database.fold(sequencer, batch)),
    undelivered: () => call(() => database.undelivered()),
    releaseLog: (sequencer, through) =>
      call(async () => {
        if (!database.isFenced(sequencer)) await database.releaseLog(sequencer, through);
      }),
    versions: database.versions,
    deadLetters: (limit) => call(() => database.deadLetters(limit)),
    chosenLetters: (choice, limit) => call(() => database.chosenLetters(choice, limit)),
    newestLetter: () => call(() => database.newestLetter()),
    redrive: (redrive) => call(() => database.redrive(redrive)),
    reset: () => call(() => database.reset()),
  };
}

export { MemoryStore as SimulatedDatabase };
