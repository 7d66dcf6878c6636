/** One database for all hosts of a run, and each host's way to it. */
import { TakenOver } from '../../src/host/ending.ts';
import type { PipelineStore, Redrive, RedriveOutcome, StoredVersion } from '../../src/ports.ts';
import { MemoryStore } from '../../src/testing/memory-store.ts';
import type { SimulatedProcess } from './virtual-time.ts';
import type { World } from './world.ts';

/** The store as the host in `process` reaches it: every call is a request and an answer, each on its way for a while. */
export function simulatedStore(
  world: World,
  process: SimulatedProcess,
  database: SimulatedDatabase,
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
    versions: {
      ...database.versions,
      current: () => call(() => database.versions.current()),
      activate: (sequencer, number) => call(() => database.versions.activate(sequencer, number)),
    },
    deadLetters: (limit) => call(() => database.deadLetters(limit)),
    chosenLetters: (choice, limit) => call(() => database.chosenLetters(choice, limit)),
    newestLetter: () => call(() => database.newestLetter()),
    redrive: async (redrive) => {
      if (database.splitsRedrives) await call(() => database.forget(redrive.numbers));
      const numbers = database.splitsRedrives ? [] : redrive.numbers;
      return call(() => database.redrive({ ...redrive, numbers }));
    },
    reset: () => call(() => database.reset()),
  };
}

export class SimulatedDatabase extends MemoryStore {
  /** Versions that were active, the last one still is. */
  readonly active = [1];
  /** Negative control: letters go in a transaction of their own. */
  splitsRedrives = false;
  /** Called once. */
  hearsOfRedrive: (() => void) | undefined;

  async forget(numbers: readonly number[]): Promise<void> {
    this.#hear();
    for (const { letter } of await this.chosenLetters({ numbers }, numbers.length))
      this.letters.delete(letter.id);
  }

  override async redrive(redrive: Redrive): Promise<RedriveOutcome> {
    this.#hear();
    return super.redrive(redrive);
  }

  #hear(): void {
    this.hearsOfRedrive?.();
    this.hearsOfRedrive = undefined;
  }

  override readonly versions: PipelineStore['versions'] = {
    current: async () => ({ number: this.active.at(-1) }) as StoredVersion,
    get: async () => undefined,
    save: async () => 1,
    activate: async (sequencer, number) => {
      if (this.isFenced(sequencer)) return 'fenced';
      this.active.push(number);
      return 'committed';
    },
  };
}
