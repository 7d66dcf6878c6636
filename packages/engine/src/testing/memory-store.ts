/** A `PipelineStore` in memory, with the same fencing as the real one, for tests of the engine alone. */
import { compareBytes } from '@millrace/protocol';
import type {
  CommitOutcome,
  DeadLetterRow,
  FoldBatch,
  LetterChoice,
  LoggedBundle,
  NumberedLetter,
  PageKey,
  PageRow,
  PipelineStore,
  Redrive,
  RedriveOutcome,
  SealedBundle,
  StoredVersion,
  UndeliveredRow,
} from '../ports.ts';

export class MemoryStore implements PipelineStore {
  host = 0;
  readonly leases = new Map<number, number>();
  readonly log: LoggedBundle[] = [];
  readonly letters = new Map<string, DeadLetterRow>();
  #pages: PageRow[] = [];
  #undelivered: UndeliveredRow[] = [];
  #through = 0;
  readonly #numbers = new Map<string, number>();
  #numbered = 0;
  #last = 0;
  /** Negative control: takes what a fenced lease writes. */
  isUnfenced = false;
  /** Runs in front of every commit, for tests that kill or delay. */
  beforeCommit: (bundles: readonly SealedBundle[]) => Promise<void> = async () => undefined;

  isFenced(hostSequencer: number): boolean {
    return hostSequencer !== this.host && !this.isUnfenced;
  }

  async claimHost(): Promise<number> {
    for (const [slot, sequencer] of this.leases) this.leases.set(slot, sequencer + 1);
    return ++this.host;
  }

  async claimWorker(slot: number): Promise<number> {
    const sequencer = (this.leases.get(slot) ?? 0) + 1;
    this.leases.set(slot, sequencer);
    return sequencer;
  }

  async commit(bundles: readonly SealedBundle[]): Promise<readonly CommitOutcome[]> {
    await this.beforeCommit(bundles);
    return bundles.map((bundle) => {
      if (this.leases.get(bundle.slot) !== bundle.sequencer && !this.isUnfenced) return 'fenced';
      this.log.push({ ...bundle, body: bundle.body.slice() });
      this.#last = Math.max(this.#last, bundle.position);
      return 'committed';
    });
  }

  async *bundlesAfter(after: number): AsyncIterable<readonly LoggedBundle[]> {
    const found = this.log
      .filter((bundle) => bundle.position > after)
      .sort((a, b) => a.position - b.position);
    if (found.length > 0) yield found;
  }

  async lastPosition(): Promise<number> {
    return this.#last;
  }

  async foldedThrough(): Promise<number> {
    return this.#through;
  }

  async pageDirectory(): Promise<readonly PageKey[]> {
    return this.#pages
      .map(({ space, start }) => ({ space, start }))
      .sort((a, b) => a.space - b.space || compareBytes(a.start, b.start));
  }

  async readPages(space: number, starts: readonly Uint8Array[]): Promise<readonly PageRow[]> {
    return this.#pages.filter(
      (page) => page.space === space && starts.some((start) => compareBytes(start, page.start) === 0),
    );
  }

  async fold(hostSequencer: number, batch: FoldBatch): Promise<CommitOutcome> {
    if (this.isFenced(hostSequencer)) return 'fenced';
    const touched = [...batch.writes, ...batch.deletes];
    this.#pages = this.#pages.filter(
      (page) => !touched.some((t) => t.space === page.space && compareBytes(t.start, page.start) === 0),
    );
    this.#pages.push(...batch.writes);
    for (const letter of batch.deadLetters) this.letters.set(letter.id, letter);
    this.#undelivered.push(...batch.undelivered);
    this.#undelivered = this.#undelivered.filter(
      (row) => !batch.delivered.some((d) => d.position === row.position && d.ordinal === row.ordinal),
    );
    this.#through = batch.through;
    return 'committed';
  }

  async undelivered(): Promise<readonly UndeliveredRow[]> {
    return [...this.#undelivered].sort((a, b) => a.position - b.position);
  }

  async releaseLog(_hostSequencer: number, through: number): Promise<void> {
    const kept = this.log.filter((bundle) => bundle.position > through);
    this.log.splice(0, this.log.length, ...kept);
  }

  readonly versions: PipelineStore['versions'] = {
    current: async () => undefined,
    get: async () => undefined,
    save: async (_version: Omit<StoredVersion, 'number'>) => 1,
    activate: async () => 'committed',
  };

  async deadLetters(limit: number): Promise<readonly DeadLetterRow[]> {
    return [...this.letters.values()].slice(0, limit);
  }

  async chosenLetters(choice: LetterChoice, limit: number): Promise<readonly NumberedLetter[]> {
    return [...this.letters.values()]
      .map((letter) => ({ number: this.#numberOf(letter), letter }))
      .filter(({ number }) =>
        'numbers' in choice
          ? choice.numbers.includes(number)
          : number > choice.above && number <= choice.upTo,
      )
      .sort((a, b) => a.number - b.number)
      .slice(0, limit);
  }

  async newestLetter(): Promise<number> {
    return Math.max(0, ...[...this.letters.values()].map((letter) => this.#numberOf(letter)));
  }

  async redrive({ bundle, numbers }: Redrive): Promise<RedriveOutcome> {
    if (this.isFenced(bundle.sequencer)) return 'fenced';
    const chosen = await this.chosenLetters({ numbers }, numbers.length);
    if (chosen.length !== numbers.length) return 'stale';
    for (const { letter } of chosen) {
      this.letters.delete(letter.id);
      this.#numbers.delete(letter.id);
    }
    this.log.push({ ...bundle, body: bundle.body.slice() });
    this.#last = Math.max(this.#last, bundle.position);
    return 'committed';
  }

  #numberOf({ id }: DeadLetterRow): number {
    const number = this.#numbers.get(id) ?? ++this.#numbered;
    this.#numbers.set(id, number);
    return number;
  }

  async reset(): Promise<void> {
    this.#pages = [];
    this.log.length = 0;
  }
}
