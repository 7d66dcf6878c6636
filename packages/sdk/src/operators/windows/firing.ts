/**
 * What a window with a trigger remembers of its panes, and the panes it makes (N3, N5). Windows of every kind share
 * this; where it is stored, and what a window holds, is theirs.
 */

import type { EventTime, Pane } from '../../api.ts';
import type { Row, RowAccumulator } from '../aggregates/row.ts';
import { type PaneContext, producePane } from './pane-output.ts';
import { NEVER, type Trigger, type TriggerRule, type TriggerState, triggerRule } from './trigger.ts';

/** Early until the watermark has passed the window's end and its on-time pane is out. */
export type Phase = 'early' | 'late';

export interface Firing {
  /** The rule that `state` is of. A deploy may have brought another one since (Y2). */
  readonly by: string;
  readonly state: TriggerState;
  /** It has something that no pane has shown. */
  readonly fresh: boolean;
  /** Early panes so far. */
  readonly panes: number;
  /** What no pane has shown, where panes discard; of sessions that is their content. */
  readonly unshown?: RowAccumulator;
  /** What stands downstream, to be taken back before the next pane. */
  readonly shown?: Shown;
}

interface Shown {
  readonly value: unknown;
  readonly pane: Pane;
}

export interface FiringSettings<T> {
  readonly row: Row<T>;
  readonly trigger: Trigger;
  /** Every pane takes back the one before it. */
  readonly retracting: boolean;
}

export class FiringRules<T> {
  readonly #row: Row<T>;
  readonly #rules: Readonly<Record<Phase, TriggerRule>>;
  /** A pane that may have to be taken back is remembered: also where a window may become empty again. */
  readonly #keepsShown: boolean;
  readonly #retracting: boolean;
  readonly onTimeAlways: boolean;

  constructor({ row, trigger, retracting }: FiringSettings<T>) {
    const { early, late = { type: 'records', every: 1 }, onTime } = trigger;
    this.#row = row;
    this.#rules = {
      early: early === undefined ? NEVER : triggerRule(early, 'trigger.early'),
      late: triggerRule(late, 'trigger.late'),
    };
    this.#retracting = retracting;
    this.#keepsShown = retracting || row.retractions !== undefined;
    this.onTimeAlways = onTime === 'always';
  }

  /** With nothing new. */
  blank(phase: Phase, before?: Firing): Firing {
    const { name, begin } = this.#rules[phase];
    return { panes: 0, ...before, by: `${phase} ${name}`, state: begin, fresh: false };
  }

  /** A record has come. */
  taken(before: Firing | undefined, phase: Phase, now: number): Firing {
    const current = this.current(before, phase, now);
    const state = this.#rules[phase].record(current.state, now);
    return current.fresh && state === current.state ? current : { ...current, state, fresh: true };
  }

  /** The firing under the rule of today. */
  current(before: Firing | undefined, phase: Phase, now: number): Firing {
    const { name, begin, record } = this.#rules[phase];
    if (before?.by === `${phase} ${name}`) return before;
    const blank = this.blank(phase, before);
    return before?.fresh === true ? { ...blank, state: record(begin, now), fresh: true } : blank;
  }

  /** As if a record had come just now: of an early firing that may have missed some. */
  restarted(before: Firing, now: number): Firing {
    return this.taken({ ...this.blank('early', before) }, 'early', now);
  }

  /** Of windows that become one, each under the rule of today. What they have shown is not carried over. */
  merged(firings: readonly Firing[], phase: Phase): Firing {
    const { merge } = this.#rules[phase];
    let [{ state }, fresh] = [this.blank(phase), false];
    for (const each of firings.filter((one) => one.fresh)) {
      state = fresh ? merge(state, each.state) : each.state;
      fresh = true;
    }
    return { ...this.blank(phase), state, fresh };
  }

  isDue(firing: Firing, phase: Phase, now: number): boolean {
    return firing.fresh && now >= this.#rules[phase].dueFrom(firing.state);
  }

  /** When the wall clock alone makes it due; undefined: never, or it is due whatever the time. */
  wakeAt(firing: Firing, phase: Phase): EventTime | undefined {
    const from = firing.fresh ? this.#rules[phase].dueFrom(firing.state) : Infinity;
    return Number.isFinite(from) ? from : undefined;
  }

  isEmpty(content: RowAccumulator | undefined): boolean {
    return content === undefined || this.#row.retractions?.isEmpty(content) === true;
  }

  /** Takes back what stands downstream and makes a pane of `content`, unless there is nothing in it. */
  show(
    firing: Firing,
    phase: Phase,
    content: RowAccumulator | undefined,
    pane: Pane,
    ctx: PaneContext & { readonly now: number },
  ): Firing {
    const isEmpty = this.isEmpty(content);
    if (this.#retracting || isEmpty) this.takeBack(firing, ctx);
    const { unshown: _, shown: __, ...rest } = firing;
    const state = this.#rules[phase].shown(firing.state, ctx.now);
    if (isEmpty) return { ...rest, state, fresh: false, panes: pane.index };
    const value = this.#row.result(content);
    producePane(ctx, value, pane);
    const shown = this.#keepsShown ? { shown: { value, pane } } : {};
    return { ...rest, ...shown, state, fresh: false, panes: pane.index + 1 };
  }

  takeBack({ shown }: Firing, ctx: PaneContext): void {
    if (shown !== undefined) producePane(ctx, shown.value, { ...shown.pane, retracts: true });
  }
}
