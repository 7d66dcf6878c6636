/** 500 numbers with their decimal texts. */
export const SIDE: ReadonlyMap<number, string> = new Map(
  Array.from({ length: 500 }, (_, i) => [i, String(i)]),
);
