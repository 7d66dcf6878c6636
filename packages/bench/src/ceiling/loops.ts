/** The ceilings: the bare work of a benchmark over the same bytes, in a loop, with nothing around it. */

export type LoopName = 'grep' | 'words';

const decoder = new TextDecoder();

/** Runs a loop over the chunks again and again for a while; gives records per second of the last turns. */
export function runLoop(
  name: LoopName,
  chunks: readonly Uint8Array[],
  options: { readonly warmUpMs: number; readonly measureMs: number; readonly now: () => number },
): number {
  const loop = LOOPS[name]();
  const { now } = options;
  for (const end = now() + options.warmUpMs; now() < end; ) for (const chunk of chunks) loop(chunk);
  const begun = now();
  const end = begun + options.measureMs;
  let records = 0;
  let at = begun;
  while (at < end) {
    for (const chunk of chunks) records += loop(chunk);
    at = now();
  }
  return (records * 1000) / (at - begun);
}

/** A loop takes a chunk of whole lines and gives the number of records in it. */
type Loop = (chunk: Uint8Array) => number;

const LOOPS: Readonly<Record<LoopName, () => Loop>> = {
  grep: () => {
    let matches = 0;
    return (chunk) => {
      const text = decoder.decode(chunk);
      let records = 0;
      for (let at = 0; at < text.length; records++) {
        const end = text.indexOf('\n', at);
        const value = JSON.parse(text.slice(at, end)) as { text: string };
        if (value.text.includes('error')) matches++;
        at = end + 1;
      }
      // Read, so that nothing of it can be left out.
      return matches < 0 ? 0 : records;
    };
  },
  words: () => {
    const counts = new Map<string, number>();
    return (chunk) => {
      const text = decoder.decode(chunk);
      let records = 0;
      for (let at = 0; at < text.length; records++) {
        const end = text.indexOf('\n', at);
        const { word } = JSON.parse(text.slice(at, end)) as { word: string };
        counts.set(word, (counts.get(word) ?? 0) + 1);
        at = end + 1;
      }
      return counts.size < 0 ? 0 : records;
    };
  },
};
