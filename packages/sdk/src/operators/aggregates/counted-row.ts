/** A row that knows how many records are in it, so that taking the last one off leaves nothing rather than zero. */

import type { AggregateRow, Retractions, Row, RowAccumulator } from './row.ts';

type Counted = readonly [records: number, row: RowAccumulator];

export function countedRow<T>(row: AggregateRow<T>): Row<T> & { readonly retractions: Retractions<T> } {
  const read = (content: RowAccumulator): Counted => content as Counted;
  return {
    shape: row.shape,
    first: (value) => [1, row.first(value)],
    add: (content, value) => [read(content)[0] + 1, row.add(read(content)[1], value)],
    merge: (left, right) => [read(left)[0] + read(right)[0], row.merge(read(left)[1], read(right)[1])],
    retractions: {
      create: () => [0, row.create()],
      remove: (content, value) => [read(content)[0] - 1, row.remove(read(content)[1], value)],
      isEmpty: (content) => read(content)[0] === 0,
    },
    subtract: undefined,
    result: (content) => row.result(read(content)[1]),
  };
}
