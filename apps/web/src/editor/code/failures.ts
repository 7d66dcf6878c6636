/**
 * Dead letters at the lines they came from. A line is only right in the code that failed: what is shown here stands
 * beside a line only where the draft's code is that code, letter for letter. Pure.
 */
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';

export type DeadLetterGroup = AnswerOf<RouteOf<'dead-letters.groups'>>['items'][number];

export interface Failure {
  readonly line: number;
  readonly count: number;
  readonly error: string;
}

/** The groups whose place is in this file, the largest first, and no more than are worth asking about. */
export function groupsIn(groups: readonly DeadLetterGroup[], path: string): readonly DeadLetterGroup[] {
  return groups
    .filter(({ place }) => place?.startsWith(`${path}:`))
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST);
}

const MOST = 20;

/** `textOf`: what the code was in the version that a group's newest letter comes from; undefined: not known. */
export function failuresIn(
  groups: readonly DeadLetterGroup[],
  draftText: string,
  textOf: (group: DeadLetterGroup) => string | undefined,
): readonly Failure[] {
  return groups.flatMap((group) => {
    const line = Number(/:(\d+):\d+$/.exec(group.place ?? '')?.[1]);
    if (!Number.isInteger(line) || textOf(group) !== draftText) return [];
    // The commonest class of errors says nothing.
    return [{ line, count: group.count, error: group.error.replace(/^Error: /, '') }];
  });
}
