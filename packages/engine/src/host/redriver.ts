/**
 * Makes dead letters deliveries again (P8): each goes to the node it died at, with the id, key and timestamp it had.
 *
 * Owns: which letters go into one bundle of the host's, and the counts of them (P9).
 * Does not own: where each goes (`letter-target`), the log (`committer`), what is delivered (`deliveries`).
 *
 * Invariants
 *   RV1 (P3)  the letters' rows go in the transaction that appends the bundle of their deliveries: never both, never
 *             neither, and a second click finds nothing.
 *   RV2       a letter is taken only once the fold that recorded it has been answered: a fold whose answer was lost
 *             runs again, and would record it anew.
 *   RV3 (P11) letters go out in the order in which they were recorded, so those of one key keep theirs.
 */
import type { RunPlan } from '@millrace/graph';
import {
  type Batch,
  BundleBodyWriter,
  META_SPACE,
  metaKeys,
  OUTSIDE,
  readBundleBody,
} from '@millrace/protocol';
import {
  HOST_SLOT,
  type LetterChoice,
  type NumberedLetter,
  type PipelineStore,
  type RedriveOutcome,
} from '../ports.ts';
import { createHasher } from '../worker/key-hash.ts';
import { BatchesOfLetters } from './batches-of-letters.ts';
import type { Committer, OwnBundle } from './committer.ts';
import type { Counts } from './counts.ts';
import type { Intervals } from './intervals.ts';
import { type LetterPlace, type LetterTarget, letterTarget } from './letter-target.ts';
import { numberBytes, type Recovered } from './recovery.ts';

export interface LetterRefusal {
  readonly number: number;
  readonly reason: string;
}

export interface RedriveAnswer {
  readonly redriven: number;
  /** Still dead letters. */
  readonly refused: readonly LetterRefusal[];
  /** Of a group: where to go on; undefined when nothing of it was left. */
  readonly next: number | undefined;
}

export interface RedriverOptions {
  readonly store: Pick<PipelineStore, 'chosenLetters' | 'redrive'>;
  readonly plan: RunPlan;
  readonly recovered: Recovered;
  readonly counts: Counts;
  readonly intervals: Intervals;
  /** Of the host's own bundles, in order. */
  readonly nextBundle: () => number;
  readonly committer: Pick<Committer, 'submitOwn'>;
  /** The slot whose worker reads a partition, if one does. */
  readonly readerOf: (node: number, place: string) => number | undefined;
  /** RV2. */
  readonly folded: () => Promise<void>;
  readonly committed: (position: number, body: ReturnType<typeof readBundleBody>) => void;
  /** Nobody would take what is appended from here on; another plan would misread it. */
  readonly isOver: () => boolean;
  readonly fenced: () => void;
}

const MOST_LETTERS = 500;
/** Of deliveries in one bundle; one letter is always taken. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Somebody else redrives or discards the same letters meanwhile: they are looked at anew. */
const TRIES = 5;

interface Chosen {
  readonly number: number;
  readonly target: Extract<LetterTarget, { kind: 'delivery' }>;
}

/** Expected: whoever asked is told to try again. */
export class RunIsOver extends Error {
  constructor() {
    super('the pipeline is being stopped or deployed: start it, or try again when the new version runs');
    this.name = 'RunIsOver';
  }
}

export class Redriver {
  readonly #options: RedriverOptions;
  readonly #hasher = createHasher();
  /** One at a time: what a bundle counts stands on what the one before has counted. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: RedriverOptions) {
    this.#options = options;
  }

  redrive(choice: LetterChoice): Promise<RedriveAnswer> {
    const answer = this.#last.then(() => this.#redrive(choice));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #redrive(choice: LetterChoice): Promise<RedriveAnswer> {
    const { store, folded } = this.#options;
    const hasher = await this.#hasher;
    for (let left = TRIES; left > 0; left--) {
      const letters = await store.chosenLetters(choice, MOST_LETTERS);
      await folded();
      const { intervals } = this.#options;
      const { step } = intervals;
      const owners = { ownerOf: (node: number, high: number) => intervals.channelOf(node, high) };
      const { chosen, refused, next } = this.#choose(letters, { ...this.#options, owners, hasher });
      const done = { refused, next: 'numbers' in choice ? undefined : next };
      if (chosen.length === 0) return { redriven: 0, ...done };
      const outcome = await this.#submit(chosen, step);
      if (outcome === 'committed') return { redriven: chosen.length, ...done };
      if (outcome === 'fenced') {
        this.#options.fenced();
        throw new Error('another host has taken over this pipeline; nothing was redriven');
      }
    }
    throw new Error('these dead letters change all the time: somebody else is redriving or discarding them');
  }

  #choose(
    letters: readonly NumberedLetter[],
    place: LetterPlace,
  ): { chosen: Chosen[]; refused: LetterRefusal[]; next: number | undefined } {
    const chosen: Chosen[] = [];
    const refused: LetterRefusal[] = [];
    let bytes = 0;
    let last: number | undefined;
    for (const { number, letter } of letters) {
      const target = letterTarget(letter, place);
      if (target.kind === 'refused') refused.push({ number, reason: target.reason });
      else {
        if (chosen.length > 0 && bytes + target.bytes.length > MOST_BYTES)
          return { chosen, refused, next: last };
        bytes += target.bytes.length;
        chosen.push({ number, target });
      }
      last = number;
    }
    return { chosen, refused, next: last };
  }

  /** `step`: of the intervals they were chosen under; where those change meanwhile nothing is done. */
  #submit(chosen: readonly Chosen[], step: number): Promise<RedriveOutcome> {
    const { store, recovered, intervals, nextBundle, committer, committed, isOver } = this.#options;
    const body = readBundleBody(this.#bodyOf(chosen));
    const own: OwnBundle = {
      append: async (position) => {
        if (isOver()) throw new RunIsOver();
        if (intervals.step !== step) return 'stale';
        const bundleNumber = nextBundle();
        return store.redrive({
          bundle: {
            position,
            slot: HOST_SLOT,
            sequencer: recovered.hostSequencer,
            bundleNumber,
            body: body.bytes,
          },
          numbers: chosen.map(({ number }) => number),
        });
      },
      committed: (position) => committed(position, body),
    };
    return committer.submitOwn(own);
  }

  #bodyOf(chosen: readonly Chosen[]): Uint8Array {
    const writer = new BundleBodyWriter();
    const batches = new BatchesOfLetters();
    for (const { target } of chosen) batches.add(target);
    const made = batches.take();
    this.#count(writer, made);
    for (const batch of made) writer.batch(batch);
    return writer.take();
  }

  /** Post-images, like every change. */
  #count(writer: BundleBodyWriter, batches: readonly Batch[]): void {
    const { plan, counts, recovered } = this.#options;
    const put = (key: Uint8Array, before: number, added: number) => {
      if (added > 0) writer.put(META_SPACE, key, numberBytes(before + added));
    };
    const sum = (of: (batch: Batch) => boolean) =>
      batches.filter(of).reduce((total, { count }) => total + count, 0);
    for (const { index, kind } of plan.nodes) {
      const number = recovered.nodeNumbers[index] as number;
      const isFor = ({ node, stream }: Batch) =>
        (stream === OUTSIDE ? node : plan.streams[stream]?.to) === index;
      put(metaKeys.redriven(number), counts.redriven(index), sum(isFor));
      const rows = kind === 'sink' ? sum(({ node }) => node === index) : 0;
      put(metaKeys.redrivenRows(number), counts.redrivenRows(index), rows);
    }
    for (const { index, id } of plan.streams)
      put(
        metaKeys.redrivenOn(id),
        counts.redrivenOn(index),
        sum(({ stream }) => stream === index),
      );
  }
}
