import type { Row } from '../aggregates/row.ts';
import type { Trigger } from './trigger.ts';

/** The settings of one `aggregate`, checked. */
export interface WindowedAggregate<T, W> {
  readonly window: W;
  readonly row: Row<T>;
  readonly latenessMs: number;
  /** A pane holds only what is new since the last one (N3). */
  readonly discarding: boolean;
}

/** One with panes that the default trigger does not make. */
export interface TriggeredAggregate<T, W> extends WindowedAggregate<T, W> {
  readonly trigger: Trigger;
  /** Every pane takes back the one before it. */
  readonly retracting: boolean;
}
