/**
 * Characters of a shared text by the ids they were born with: `[client, clock, length]`, as the document names
 * them on every peer, for ever, wherever they have moved and whether they are deleted or not.
 */
export type IdRange = readonly [client: number, clock: number, length: number];

/** Characters that were deleted: where they stood and what they were. */
export interface DeletedPiece {
  readonly client: number;
  readonly clock: number;
  readonly text: string;
}

/** The characters of an undone deletion were born again under other ids. */
export interface Reborn {
  readonly from: IdRange;
  readonly to: readonly [client: number, clock: number];
}

export function rangeOf({ client, clock, text }: DeletedPiece): IdRange {
  return [client, clock, text.length];
}

export function overlap(a: IdRange, b: IdRange): IdRange | undefined {
  if (a[0] !== b[0]) return undefined;
  const start = Math.max(a[1], b[1]);
  const end = Math.min(a[1] + a[2], b[1] + b[2]);
  return start < end ? [a[0], start, end - start] : undefined;
}

export function overlapsOf(range: IdRange, others: readonly IdRange[]): IdRange[] {
  return others.map((other) => overlap(range, other)).filter((found) => found !== undefined);
}

export function subtract(ranges: readonly IdRange[], without: readonly IdRange[]): IdRange[] {
  let left = [...ranges];
  for (const hole of without) {
    left = left.flatMap((range) => {
      const cut = overlap(range, hole);
      return cut === undefined ? [range] : around(range, cut);
    });
  }
  return left;
}

/** What is left of a range on both sides of a part of it. */
function around([client, clock, length]: IdRange, [, at, cut]: IdRange): IdRange[] {
  const before: IdRange = [client, clock, at - clock];
  const after: IdRange = [client, at + cut, clock + length - at - cut];
  return [before, after].filter(([, , size]) => size > 0);
}

/** Neighbours become one: a burst of typing is one range, however many keys it took. */
export function joinRanges(ranges: readonly IdRange[]): IdRange[] {
  const joined: IdRange[] = [];
  for (const range of [...ranges].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = joined.at(-1);
    if (last !== undefined && last[0] === range[0] && last[1] + last[2] === range[1]) {
      joined[joined.length - 1] = [last[0], last[1], last[2] + range[2]];
    } else joined.push(range);
  }
  return joined;
}

/** The pieces without the characters of `without`. */
export function subtractPieces(pieces: readonly DeletedPiece[], without: readonly IdRange[]): DeletedPiece[] {
  return pieces.flatMap((piece) =>
    subtract([rangeOf(piece)], without).map(([client, clock, length]) => ({
      client,
      clock,
      text: piece.text.slice(clock - piece.clock, clock - piece.clock + length),
    })),
  );
}

export function follow(ranges: readonly IdRange[], reborn: readonly Reborn[]): IdRange[] {
  let now = [...ranges];
  for (const { from, to } of reborn) {
    now = now.flatMap((range) => {
      const moved = overlap(range, from);
      if (moved === undefined) return [range];
      const born: IdRange = [to[0], to[1] + moved[1] - from[1], moved[2]];
      return [...around(range, moved), born];
    });
  }
  return joinRanges(now);
}
