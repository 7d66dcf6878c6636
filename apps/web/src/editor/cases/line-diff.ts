/** Two texts line by line: what is in both, what only in one. Pure. */

export interface DiffLine {
  readonly side: 'both' | 'expected' | 'actual';
  readonly text: string;
}

/** Longer ones are not worth the square of their length: all lines of the one, then all of the other. */
const MOST_LINES = 400;

export function lineDiff(expected: readonly string[], actual: readonly string[]): readonly DiffLine[] {
  if (expected.length > MOST_LINES || actual.length > MOST_LINES)
    return [...expected.map(onlyIn('expected')), ...actual.map(onlyIn('actual'))];
  const longest = common(expected, actual);
  const result: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < expected.length || j < actual.length) {
    const [left, right] = [expected[i], actual[j]];
    if (left !== undefined && left === right) {
      result.push({ side: 'both', text: left });
      i += 1;
      j += 1;
    } else if (
      right === undefined ||
      (left !== undefined && at(longest, i + 1, j) >= at(longest, i, j + 1))
    ) {
      result.push({ side: 'expected', text: left as string });
      i += 1;
    } else {
      result.push({ side: 'actual', text: right });
      j += 1;
    }
  }
  return result;
}

const onlyIn =
  (side: DiffLine['side']) =>
  (text: string): DiffLine => ({ side, text });

const at = (table: readonly (readonly number[])[], i: number, j: number): number => table[i]?.[j] ?? 0;

/** Length of the longest common rest from each pair of lines on. */
function common(one: readonly string[], other: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: one.length + 1 }, () => new Array<number>(other.length + 1).fill(0));
  for (let i = one.length - 1; i >= 0; i -= 1) {
    const row = table[i] as number[];
    for (let j = other.length - 1; j >= 0; j -= 1)
      row[j] =
        one[i] === other[j]
          ? at(table, i + 1, j + 1) + 1
          : Math.max(at(table, i + 1, j), at(table, i, j + 1));
  }
  return table;
}
