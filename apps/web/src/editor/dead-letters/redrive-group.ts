/** A whole group, a piece at a time, as the server takes it. What it does not take stays a dead letter. */

export interface RedrivenPiece {
  readonly redriven: number;
  readonly refused: readonly { readonly number: number; readonly reason: string }[];
  readonly refusedCount: number;
  readonly next: string | null;
}

export interface RedrivenGroup {
  readonly redriven: number;
  readonly refused: number;
  /** Of the first one that was refused. */
  readonly reason: string | undefined;
}

/** `told` hears after each piece; goes on until the server says that there is no more. */
export async function redriveGroup(
  ask: (cursor: string | undefined) => Promise<RedrivenPiece>,
  told: (soFar: RedrivenGroup) => void,
): Promise<RedrivenGroup> {
  let sum: RedrivenGroup = { redriven: 0, refused: 0, reason: undefined };
  let cursor: string | undefined;
  do {
    const piece = await ask(cursor);
    sum = {
      redriven: sum.redriven + piece.redriven,
      refused: sum.refused + piece.refusedCount,
      reason: sum.reason ?? piece.refused[0]?.reason,
    };
    told(sum);
    cursor = piece.next ?? undefined;
  } while (cursor !== undefined);
  return sum;
}
