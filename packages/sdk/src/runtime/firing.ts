import type { Clock } from '../api.ts';
import type { Cause } from './delivered-record.ts';
import type { TimerEntry } from './key-entry.ts';
import type { RuntimePorts } from './ports.ts';
import { ownTag } from './redriven-timer.ts';

/** The firing of a timer as a cause: (computation, key, clock, tag, time, arming) of P4. */
export class Firing implements Cause {
  readonly #timer: TimerEntry;
  readonly #computation: string;
  readonly #ports: RuntimePorts;
  #id: string | undefined;

  constructor(timer: TimerEntry, computation: string, ports: RuntimePorts) {
    this.#timer = timer;
    this.#computation = computation;
    this.#ports = ports;
  }

  /** What people are told of it. Makes the id of what armed it, which forgets its cause. */
  get told(): {
    readonly tag: string;
    readonly clock: Clock;
    readonly time: number;
    readonly armedBy: string;
  } {
    const { tag, clock, time, armedBy } = this.#timer;
    return { tag: ownTag(tag), clock, time, armedBy: typeof armedBy === 'string' ? armedBy : armedBy.id };
  }

  /** The record that armed it, where its worker still has it: until the bundle is sealed. */
  get armedBy(): Cause | undefined {
    const { armedBy } = this.#timer;
    return typeof armedBy === 'string' ? undefined : armedBy;
  }

  get id(): string {
    const t = this.#timer;
    this.#id ??= this.#ports.deriveId(
      `${armingId(t)}|${t.clock}|${t.time}|${t.owner.key}|${ownTag(t.tag)}`,
      this.#computation,
      -1,
    );
    return this.#id;
  }
}

/** Identity of one arming: what armed it, and the how-manieth of that call. */
export function armingId(timer: Pick<TimerEntry, 'armedBy' | 'armOrdinal'>): string {
  return `${typeof timer.armedBy === 'string' ? timer.armedBy : timer.armedBy.id}#${timer.armOrdinal}`;
}
