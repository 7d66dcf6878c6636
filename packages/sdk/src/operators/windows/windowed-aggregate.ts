import type { Row } from '../aggregates/row.ts';

/** The settings of one `aggregate`, checked. */
export interface WindowedAggregate<T, W> {
  readonly window: W;
  readonly row: Row<T>;
  readonly latenessMs: number;
  /** A pane holds only what is new since the last one (N3). */
  readonly discarding: boolean;
}
