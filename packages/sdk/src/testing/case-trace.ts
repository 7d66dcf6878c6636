/**
 * What a case did, step by step: what came out, what was logged, which keys changed. All values are JSON texts, so
 * that integers keep their digits on every way.
 */

import type { Clock } from '../api.ts';
import { jsonText } from '../same-data.ts';
import type { Harness } from './harness.ts';
import type { TraceEvent } from './instance.ts';

export type CaseEvent =
  | {
      readonly kind: 'output';
      readonly stream: string;
      readonly key: string;
      readonly timestamp: number;
      readonly value: string;
      /** JSON text. */
      readonly pane?: string;
    }
  | {
      readonly kind: 'late';
      readonly stream: string;
      readonly key: string;
      readonly timestamp: number;
      readonly value: string;
    }
  | { readonly kind: 'watermark'; readonly time: number }
  | { readonly kind: 'log'; readonly level: string; readonly key: string; readonly text: string }
  | { readonly kind: 'error'; readonly text: string };

export interface TracedTimer {
  readonly tag: string;
  readonly time: number;
  readonly clock: Clock;
  readonly hold?: number;
}

/** What is stored of a key. */
export interface TracedKey {
  /** Absent: no state is set. */
  readonly state?: string;
  /** Name, then key and value of each entry. */
  readonly maps: readonly (readonly [name: string, entries: readonly (readonly [string, string])[]])[];
  readonly timers: readonly TracedTimer[];
}

export interface KeyChange {
  readonly key: string;
  /** Absent: nothing was stored of it. */
  readonly before?: TracedKey;
  readonly after?: TracedKey;
}

export interface StepTrace {
  readonly events: readonly CaseEvent[];
  readonly keys: readonly KeyChange[];
  /** Of one run of the step; each is run twice (`step-runner.ts`). */
  readonly ms: number;
}

type Subject = Harness<Record<string, unknown>, Record<string, unknown>>;

const RUNS = 2;

/** Sees what each step did, by looking before and behind it. */
export class CaseRecorder {
  readonly steps: StepTrace[] = [];
  readonly #subject: Subject;
  readonly #printed: () => readonly CaseEvent[];
  #seen = 0;
  #keys = new Map<string, string>();
  #began = 0;

  /** `printed`: what was printed since it was last asked, by both runs of a step. */
  constructor(subject: Subject, printed: () => readonly CaseEvent[] = () => []) {
    this.#subject = subject;
    this.#printed = printed;
  }

  begin(): void {
    this.#began = performance.now();
  }

  end(): void {
    const ms = (performance.now() - this.#began) / RUNS;
    const events = this.#subject.trace().slice(this.#seen);
    this.#seen += events.length;
    const all = [...events.map(eventOf), ...onceOf(this.#printed())];
    this.steps.push({ events: all, keys: this.#changes(), ms });
  }

  #changes(): readonly KeyChange[] {
    const now = new Map(this.#subject.keys().map((key) => [key, JSON.stringify(keyOf(this.#subject, key))]));
    const before = this.#keys;
    this.#keys = now;
    return [...new Set([...before.keys(), ...now.keys()])]
      .filter((key) => before.get(key) !== now.get(key))
      .map((key) => ({ key, ...half('before', before.get(key)), ...half('after', now.get(key)) }));
  }
}

/** A step that ran twice printed everything twice. */
function onceOf(printed: readonly CaseEvent[]): readonly CaseEvent[] {
  const middle = printed.length / RUNS;
  const first = printed.slice(0, middle);
  return JSON.stringify(first) === JSON.stringify(printed.slice(middle)) ? first : printed;
}

const half = (side: 'before' | 'after', text: string | undefined): Partial<KeyChange> =>
  text === undefined ? {} : { [side]: JSON.parse(text) as TracedKey };

function keyOf(subject: Subject, key: string): TracedKey {
  const state = subject.state(key);
  return {
    ...(state !== undefined && { state: jsonText(state) }),
    maps: subject
      .maps(key)
      .map((name) => [name, subject.map(key, name).map(([of, value]) => [jsonText(of), jsonText(value)])]),
    timers: subject
      .timers(key)
      .map(({ tag, time, clock, hold }) => ({ tag, time, clock, ...(hold !== undefined && { hold }) })),
  };
}

function eventOf(event: TraceEvent): CaseEvent {
  switch (event.kind) {
    case 'output': {
      const { key, value, timestamp, pane } = event.record;
      const shown = pane === undefined ? {} : { pane: jsonText(pane) };
      return { kind: 'output', stream: event.stream, key, timestamp, value: jsonText(value), ...shown };
    }
    case 'late': {
      const { stream, key = '', value, timestamp } = event.record;
      return { kind: 'late', stream, key, timestamp, value: jsonText(value) };
    }
    case 'watermark':
      return event;
    case 'log': {
      const text = event.parts.map((part) => (typeof part === 'string' ? part : said(part))).join(' ');
      return { kind: 'log', level: event.level, key: event.key, text };
    }
    case 'error':
      return { kind: 'error', text: `${event.input}: ${said(event.error)}` };
  }
}

function said(part: unknown): string {
  if (part instanceof Error) return part.stack ?? String(part);
  try {
    return jsonText(part);
  } catch {
    return String(part);
  }
}
