/** A running pipeline in a few numbers. */
import type { View, ViewTable } from '@millrace/protocol/api';

export interface LiveSummary {
  /** Records a second that its injectors take in. */
  readonly rate: number;
  /** Of the node that is farthest behind, ms; undefined while nothing is known or all is idle. */
  readonly lagMs: number | undefined;
  readonly errors: number;
}

export function summarise(view: View, table: ViewTable): LiveSummary {
  const lags = view.nodes.flatMap(({ lagMs }) => (lagMs === undefined ? [] : [lagMs]));
  return {
    rate: sum(view.nodes.map(({ outRate }, i) => (table.nodes[i]?.kind === 'injector' ? (outRate ?? 0) : 0))),
    lagMs: lags.length > 0 ? Math.max(...lags) : undefined,
    errors: sum(view.nodes.map(({ deadLettered }) => deadLettered ?? 0)),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
