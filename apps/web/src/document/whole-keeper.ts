/**
 * Keeps the whole document in the browser while edits of it wait for the server. Edits alone can be read only by the
 * document they were made on: if that is made anew meanwhile, this is what the person gets back.
 */
import * as Y from 'yjs';
import type { OfflineEdits } from './offline-edits.ts';

/** Online an edit waits far less, and nothing is written. */
const AFTER_MS = 1_500;

export interface WholeKeeperOptions {
  readonly kept: OfflineEdits;
  readonly epoch: number;
  readonly doc: Y.Doc;
  readonly isWaiting: () => boolean;
  readonly now: () => number;
}

export class WholeKeeper {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isKept: boolean;
  readonly #options: WholeKeeperOptions;

  /** `isKept`: an earlier page left one. */
  constructor(options: WholeKeeperOptions, isKept: boolean) {
    this.#options = options;
    this.#isKept = isKept;
  }

  /** Something was edited, or something arrived. */
  touch(): void {
    if (this.#options.isWaiting()) this.#timer ??= setTimeout(() => this.keep(), AFTER_MS);
    else this.#drop();
  }

  /** Now, for who may not get another chance. */
  keep(): void {
    this.stop();
    const { kept, epoch, doc, isWaiting, now } = this.#options;
    if (!isWaiting()) return this.#drop();
    this.#isKept = true;
    void kept.keepWhole(epoch, { state: Y.encodeStateAsUpdate(doc), at: now() });
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #drop(): void {
    if (!this.#isKept) return;
    this.#isKept = false;
    void this.#options.kept.dropWhole(this.#options.epoch);
  }
}
