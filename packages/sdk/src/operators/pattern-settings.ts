import type { Run, Step } from './pattern-match.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import { requireFunction } from './require-function.ts';

export type Skip<N extends string> =
  | 'none'
  | 'toNext'
  | 'pastLast'
  | { readonly toFirst: N }
  | { readonly toLast: N };

const AFTER: readonly unknown[] = ['next', 'followedBy', 'followedByAny'];
const STEP_OPTIONS = ['name', 'where', 'after', 'oneOrMore'];

/** Checks the steps of a pattern as somebody wrote them. */
export function stepsOf(given: unknown): readonly Step[] {
  if (!Array.isArray(given) || given.length === 0)
    throw new TypeError('pattern needs at least one step, { name, where }.');
  const names = new Set<string>();
  return given.map((each: Partial<Step>) => {
    refuseUnknownOptions(each, STEP_OPTIONS, 'A step of pattern');
    const { name, where, after = 'followedBy', oneOrMore = false } = each;
    if (typeof name !== 'string' || name === '' || name === '__proto__' || names.has(name)) {
      throw new TypeError(
        `A step of pattern cannot be named ${JSON.stringify(name)}; each needs a name of its own.`,
      );
    }
    names.add(name);
    requireFunction(where, `The condition of the step ${JSON.stringify(name)}`);
    if (!AFTER.includes(after)) {
      throw new TypeError(
        `The step ${JSON.stringify(name)} comes after the one before as ${JSON.stringify(after)}; it is "next", "followedBy" or "followedByAny".`,
      );
    }
    return { name, where: where as Step['where'], after, oneOrMore: oneOrMore === true };
  });
}

/** Gives, for a match, the number of the first record at which others may begin. */
export function skippedBefore(skip: unknown, steps: readonly Step[]): (match: Run) => number {
  switch (skip) {
    case 'none':
      return () => 0;
    case 'toNext':
      return (match) => firstRecord(match) + 1;
    case 'pastLast':
      return (match) => (match.taken.at(-1)?.[1] ?? 0) + 1;
    default:
      return toStep((skip ?? {}) as { toFirst?: unknown; toLast?: unknown }, steps);
  }
}

function toStep(
  { toFirst, toLast }: { readonly toFirst?: unknown; readonly toLast?: unknown },
  steps: readonly Step[],
): (match: Run) => number {
  const name = toFirst ?? toLast;
  const index = steps.findIndex((step) => step.name === name);
  if (index === -1 || (toFirst !== undefined && toLast !== undefined)) {
    throw new TypeError(
      `pattern cannot skip to ${JSON.stringify(name)}; "skip" is "none", "toNext", "pastLast", { toFirst: step } or { toLast: step }.`,
    );
  }
  return ({ taken }) => {
    const of = taken.filter(([step]) => step === index);
    const record = (toFirst === undefined ? of.at(-1) : of[0])?.[1] ?? 0;
    // Never its own first record: the same match would be found again.
    return Math.max(record, (taken[0]?.[1] ?? 0) + 1);
  };
}

const firstRecord = ({ taken }: Run): number => taken[0]?.[1] ?? 0;
