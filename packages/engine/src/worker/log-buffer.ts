/** `ctx.log` lines, and those of `console`, between two reports: rate-limited, and counted when cut. */
import type { PlanNode } from '@millrace/graph';
import type { LogLine, WorkerFrame } from '@millrace/protocol';
import type { LogLevel } from '@millrace/sdk/runtime';
import type { CallInput } from './computation-stage.ts';
import { jsonText } from './json-text.ts';

type LogFrame = Extract<WorkerFrame, { kind: 'logs' }>;

const PER_SECOND = 200;
const LONGEST = 4_000;

export class LogBuffer {
  readonly #now: () => number;
  readonly #post: (frame: LogFrame) => void;
  #lines: LogLine[] = [];
  #cut = 0;
  #second = 0;
  #inSecond = 0;
  #node = '';
  #input: CallInput | undefined;

  constructor(now: () => number, post: (frame: LogFrame) => void) {
    this.#now = now;
    this.#post = post;
  }

  /** A handler is about to run: what is printed from here on is told as its. */
  called({ name }: PlanNode, input: CallInput): void {
    this.#node = name;
    this.#input = input;
  }

  /** Of an `async` handler that waited meanwhile it may be another's. */
  print(level: LogLevel, parts: readonly unknown[]): void {
    const input = this.#input;
    const key = input === undefined ? '' : 'owner' in input ? input.owner.key : input.key;
    this.add(this.#node, level, key, parts);
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
      at: placesInBundle(),
    });
  }

  /** Posts what there is. */
  tell(): void {
    if (this.#lines.length === 0 && this.#cut === 0) return;
    this.#post({ kind: 'logs', lines: this.#lines, cut: this.#cut });
    this.#lines = [];
    this.#cut = 0;
  }
}

/** The pipeline's code is what was loaded from a `blob:`; whoever runs the version knows its map. */
const IN_BUNDLE = /blob:[^\s()]*?:(\d+:\d+)/g;
const MOST_PLACES = 6;

/** Costs some microseconds; lines are few by their limit. */
function placesInBundle(): string {
  try {
    const found = String(new Error().stack).matchAll(IN_BUNDLE);
    return Array.from(found, ([, place]) => place)
      .slice(0, MOST_PLACES)
      .join(' ');
  } catch {
    // User code may have changed how stacks are made.
    return '';
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
