/**
 * A sorted bag as a value: a few sorted runs, each at least twice as long as the next. Adding makes a new bag that
 * shares the long runs with the old one, and costs about log₂ n steps, where copying a sorted list would cost n.
 */

export type Runs<E> = readonly (readonly E[])[];
export type Compare<E> = (left: E, right: E) => number;

export function addToRuns<E>(runs: Runs<E>, item: E, compare: Compare<E>): Runs<E> {
  return withRun(runs, [item], compare);
}

export function mergeRuns<E>(left: Runs<E>, right: Runs<E>, compare: Compare<E>): Runs<E> {
  const [most, least] = sizeOf(left) < sizeOf(right) ? [right, left] : [left, right];
  return withRun(most, sortedOf(least, compare), compare);
}

export function sizeOf(runs: Runs<unknown>): number {
  return runs.reduce((sum, { length }) => sum + length, 0);
}

export function hasInRuns<E>(runs: Runs<E>, item: E, compare: Compare<E>): boolean {
  return runs.some((run) => {
    const at = placeOf(run, item, compare);
    return at < run.length && compare(run[at]!, item) === 0;
  });
}

/** Without one item that is equal; undefined where there is none. */
export function takeFromRuns<E>(runs: Runs<E>, item: E, compare: Compare<E>): Runs<E> | undefined {
  for (const [i, run] of runs.entries()) {
    const at = placeOf(run, item, compare);
    if (at === run.length || compare(run[at]!, item) !== 0) continue;
    const rest = [...run.slice(0, at), ...run.slice(at + 1)];
    return withRun([...runs.slice(0, i), ...runs.slice(i + 1)], rest, compare);
  }
  return undefined;
}

export function sortedOf<E>(runs: Runs<E>, compare: Compare<E>): readonly E[] {
  return runs.reduceRight<readonly E[]>((all, run) => mergeTwo(run, all, compare), []);
}

function withRun<E>(runs: Runs<E>, run: readonly E[], compare: Compare<E>): Runs<E> {
  if (run.length === 0) return runs;
  let last = run;
  let kept = runs.length;
  while (kept > 0 && runs[kept - 1]!.length < 2 * last.length) {
    kept -= 1;
    last = mergeTwo(runs[kept]!, last, compare);
  }
  return [...runs.slice(0, kept), last];
}

function mergeTwo<E>(left: readonly E[], right: readonly E[], compare: Compare<E>): readonly E[] {
  if (left.length === 0 || right.length === 0) return left.length === 0 ? right : left;
  const merged: E[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    merged.push(compare(left[l]!, right[r]!) <= 0 ? left[l++]! : right[r++]!);
  }
  while (l < left.length) merged.push(left[l++]!);
  while (r < right.length) merged.push(right[r++]!);
  return merged;
}

/** Where it is, or would be. */
function placeOf<E>(run: readonly E[], item: E, compare: Compare<E>): number {
  let [low, high] = [0, run.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(run[middle]!, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
