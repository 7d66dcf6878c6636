/** `ctx.log` lines between two reports: rate-limited, and counted when cut. */
import type { LogLine } from '@millrace/protocol';
import type { LogLevel } from '@millrace/sdk/runtime';
import { jsonText } from './json-text.ts';

const PER_SECOND = 200;
const LONGEST = 4_000;

export class LogBuffer {
  readonly #now: () => number;
  #lines: LogLine[] = [];
  #cut = 0;
  #second = 0;
  #inSecond = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(node: string, level: LogLevel, key: string, parts: readonly unknown[]): void {
    const time = this.#now();
    const second = Math.floor(time / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#inSecond = 0;
    }
    if (++this.#inSecond > PER_SECOND) {
      this.#cut++;
      return;
    }
    this.#lines.push({
      node,
      level,
      key: key.slice(0, 200),
      text: parts.map(shown).join(' ').slice(0, LONGEST),
      time,
    });
  }

  take(): { lines: LogLine[]; cut: number } | undefined {
    if (this.#lines.length === 0 && this.#cut === 0) return undefined;
    const taken = { lines: this.#lines, cut: this.#cut };
    this.#lines = [];
    this.#cut = 0;
    return taken;
  }
}

function shown(part: unknown): string {
  if (typeof part === 'string') return part;
  if (part instanceof Error) return `${part.name}: ${part.message}`;
  try {
    return jsonText(part);
  } catch {
    return String(part);
  }
}
