/**
 * `tableJoin`: two tables, each a stream of changes, as one whose row of a key is made of theirs. A change on either
 * side gives the change of the joined row.
 *
 * Invariant
 *   TJ1  as TB1 for the joined row, and after all changes it is that of the rows both sides have then.
 */
import { type Computation, computation, type DeepReadonly } from '../api.ts';
import type { Input } from './input.ts';
import { type JoinKind, type LeftOf, type RightOf, type Unmatched, unmatchedOf } from './join-kind.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import { requireFunction } from './require-function.ts';
import type { Change } from './table.ts';

/** The row that changes of this type are about. */
export type RowOf<C extends Change<unknown>> = NonNullable<C['after']>;

export interface TableJoinOptions<
  L extends Change<unknown>,
  R extends Change<unknown>,
  K extends JoinKind,
  O,
> {
  /** Which rows come out although the other table has none, with null in its place; default `inner`. */
  readonly kind?: K | undefined;
  /** What a pair of rows becomes; default `{ left, right }`. It must give the same for the same rows. */
  readonly join?:
    | ((left: DeepReadonly<LeftOf<RowOf<L>, K>>, right: DeepReadonly<RightOf<RowOf<R>, K>>) => O)
    | undefined;
}

interface Rows {
  readonly left: unknown;
  readonly right: unknown;
  /** The latest time of a change. */
  readonly at: number;
}

export function tableJoin<
  L extends Change<unknown>,
  R extends Change<unknown>,
  K extends JoinKind = 'inner',
  O = { readonly left: LeftOf<RowOf<L>, K>; readonly right: RightOf<RowOf<R>, K> },
>(
  _left: Input<L>,
  _right: Input<R>,
  options: TableJoinOptions<L, R, K, O> = {},
): Computation<{ left: L; right: R }, { out: Change<O> }> {
  refuseUnknownOptions(options, ['kind', 'join'], 'tableJoin');
  const { kind = 'inner', join = (left: unknown, right: unknown) => ({ left, right }) } = options;
  requireFunction(join, 'The function join of tableJoin');
  const unmatched = unmatchedOf(kind, 'tableJoin');
  const joined = ({ left, right }: Rows): O | null =>
    isThere(left, right, unmatched) ? (join as (left: unknown, right: unknown) => O)(left, right) : null;
  return {
    ...computation<{ left: L; right: R }, { out: Change<O> }, Rows>({
      processRecord(record, ctx) {
        const held = ctx.state.get() ?? { left: null, right: null, at: record.timestamp };
        const { after: row } = changeOf(record.value);
        const at = Math.max(held.at, record.timestamp);
        const rows: Rows = { ...held, [record.stream]: row, at };
        const [before, after] = [joined(held), joined(rows)];
        if (rows.left === null && rows.right === null) ctx.state.clear();
        else ctx.state.set(rows);
        if (before !== null || after !== null) ctx.produce('out', { before, after }, { timestamp: at });
      },
    }),
    stateShape: JSON.stringify({ operator: 'tableJoin' }),
  };
}

function isThere(left: unknown, right: unknown, unmatched: Unmatched): boolean {
  if (left === null && right === null) return false;
  return (right !== null || unmatched.left) && (left !== null || unmatched.right);
}

function changeOf(value: unknown): Change<unknown> {
  if (typeof value === 'object' && value !== null && 'after' in value && 'before' in value)
    return value as Change<unknown>;
  throw new TypeError(
    'tableJoin takes the changes of tables, { before, after }; put a table in front of this input.',
  );
}
