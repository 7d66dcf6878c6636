/**
 * How many dead letters of each node were redriven or discarded. Letters are recorded a few seconds after they are
 * counted, so one that is counted and not there may only be on its way: compared is with the count of some time ago.
 * Pure but for what it remembers; times are ms of any clock that does not go back.
 */
export interface LettersGone {
  /** What the run counts, as often as it is heard. */
  readonly counted: (totals: ReadonlyMap<string, number>, now: number) => void;
  /** What is there; undefined as long as nothing was counted long enough ago to compare with. */
  readonly compare: (
    there: ReadonlyMap<string, number>,
    now: number,
  ) => ReadonlyMap<string, number> | undefined;
}

/** The log is folded every 4 s; then a letter is there. */
const RECORDED_AFTER_MS = 7_000;
const KEPT_EVERY_MS = 1_000;

export function lettersGone(): LettersGone {
  let kept: { readonly at: number; readonly totals: ReadonlyMap<string, number> }[] = [];
  return {
    counted: (totals, now) => {
      const last = kept.at(-1);
      if (last !== undefined && now - last.at < KEPT_EVERY_MS) return;
      // One that is old enough is needed, and none before it.
      const needed = kept.findLastIndex(({ at }) => now - at >= RECORDED_AFTER_MS);
      kept = [...kept.slice(Math.max(0, needed)), { at: now, totals }];
    },
    compare: (there, now) => {
      const before = kept.findLast(({ at }) => now - at >= RECORDED_AFTER_MS);
      if (before === undefined) return undefined;
      return new Map(
        [...before.totals].map(([node, total]) => [node, Math.max(0, total - (there.get(node) ?? 0))]),
      );
    },
  };
}
