/** Which rows of a join come out although nothing matched them. */
export type JoinKind = 'inner' | 'left' | 'right' | 'full';

/** A left row as a join of this kind gives it: null where only the right one is there. */
export type LeftOf<L, K extends JoinKind> = K extends 'right' | 'full' ? L | null : L;
export type RightOf<R, K extends JoinKind> = K extends 'left' | 'full' ? R | null : R;

/** Whether left and right rows come out unmatched. */
export interface Unmatched {
  readonly left: boolean;
  readonly right: boolean;
}

export function unmatchedOf(kind: unknown, what: string): Unmatched {
  switch (kind) {
    case 'inner':
      return { left: false, right: false };
    case 'left':
      return { left: true, right: false };
    case 'right':
      return { left: false, right: true };
    case 'full':
      return { left: true, right: true };
    default:
      throw new TypeError(
        `${what} has the kind ${JSON.stringify(kind)}; it is "inner", "left", "right" or "full".`,
      );
  }
}
