/** The latest log lines of one pipeline, over its runs, in a bounded ring: whoever reads asks for what is newer. */
import { randomUUID } from 'node:crypto';
import type { HostAnswer } from '@millrace/protocol/control';

export type KeptLine = HostAnswer<'logs-read'>['lines'][number];

const MOST_LINES = 2_000;
const MOST_CHARS = 1024 * 1024;
const AT_ONCE = 200;

export class LogBook {
  /** Numbers begin anew with another book. */
  readonly id = randomUUID();
  #lines: KeptLine[] = [];
  #chars = 0;
  #last = 0;
  /** Written and never kept, since the book began. */
  #cut = 0;
  readonly #readers = new Set<() => void>();

  add(lines: readonly Omit<KeptLine, 'number'>[], cut: number): void {
    this.#cut += cut;
    for (const line of lines) {
      this.#lines.push({ ...line, number: ++this.#last });
      this.#chars += charsOf(line);
    }
    let gone = 0;
    while (this.#lines.length - gone > MOST_LINES || this.#chars > MOST_CHARS)
      this.#chars -= charsOf(this.#lines[gone++] as KeptLine);
    if (gone > 0) this.#lines = this.#lines.slice(gone);
    if (lines.length === 0) return;
    for (const wake of this.#readers) wake();
    this.#readers.clear();
  }

  /** Lines above a number, oldest first; of a gap in the numbers nothing is left. */
  read(above: number): HostAnswer<'logs-read'> {
    const from = this.#lines.findIndex(({ number }) => number > above);
    return {
      book: this.id,
      lines: from < 0 ? [] : this.#lines.slice(from, from + AT_ONCE),
      cut: this.#cut,
    };
  }

  /** Resolves when there is something above the number, or the time is over. */
  async newer(above: number, waitMs: number): Promise<void> {
    if (this.#last > above || waitMs === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, waitMs);
      const readers = this.#readers;
      function done(): void {
        clearTimeout(timer);
        readers.delete(done);
        resolve();
      }
      readers.add(done);
    });
  }
}

const charsOf = ({ text, key }: Pick<KeptLine, 'text' | 'key'>): number => text.length + key.length;
