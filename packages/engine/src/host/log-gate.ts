/**
 * Passes on what workers log, no faster than somebody can read it: the worker's own limit counts for nothing
 * once its code is hostile.
 */
import type { LogLine } from '@millrace/protocol';

/** Above what the worker itself lets through, so that an honest one is never cut twice. */
const PER_SECOND = 1_000;
const LONGEST = { node: 200, level: 20, key: 200, text: 4_000, at: 200 } as const;
const LATEST_MS = 8.64e15;

export class LogGate {
  readonly #pass: (lines: readonly LogLine[], cut: number) => void;
  readonly #now: () => number;
  #second = 0;
  #inSecond = 0;
  #cut = 0;

  constructor(pass: (lines: readonly LogLine[], cut: number) => void, now: () => number) {
    this.#pass = pass;
    this.#now = now;
  }

  take(lines: readonly LogLine[], cut: number): void {
    const now = this.#now();
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#inSecond = 0;
    }
    const kept = lines.slice(0, Math.max(0, PER_SECOND - this.#inSecond));
    this.#cut += cut + lines.length - kept.length;
    const full = this.#inSecond >= PER_SECOND;
    this.#inSecond += Math.max(1, lines.length);
    // What is only counted is said with the next line that passes.
    if (full) return;
    this.#pass(
      kept.map(({ node, level, key, text, time, at }) => ({
        node: node.slice(0, LONGEST.node),
        level: level.slice(0, LONGEST.level),
        key: key.slice(0, LONGEST.key),
        text: text.slice(0, LONGEST.text),
        at: at.slice(0, LONGEST.at),
        // A number that is no date throws where it is shown.
        time: Math.abs(time) <= LATEST_MS ? time : now,
      })),
      this.#cut,
    );
    this.#cut = 0;
  }
}
