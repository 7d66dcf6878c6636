/**
 * Counts the rows a sink's target refused (P9) where they are recorded: the total lies in the sink's mark and so
 * commits with the dead letters themselves. It survives a killed host and a commit whose answer was lost.
 *
 * Does not own: the sink's own detail, which is handed in and out unchanged.
 */
import type { SinkContext, SinkMark } from '../ports.ts';

interface CountedDetail {
  readonly rejected: number;
  readonly own: SinkMark['detail'];
}

/** `tell` hears the committed total, at once and whenever it changes. */
export async function countRejectedRows(
  context: SinkContext,
  tell: (total: number) => void,
): Promise<SinkContext> {
  let total = 0;
  const read = async (): Promise<SinkMark | undefined> => {
    const mark = await context.mark();
    if (mark === undefined) return undefined;
    const { rejected, own } = mark.detail as Partial<CountedDetail>;
    if (typeof rejected !== 'number' || own === undefined) return mark;
    total = rejected;
    tell(total);
    return { through: mark.through, detail: own };
  };
  await read();
  return {
    ...context,
    mark: read,
    async commit(mark, deadLetters, write) {
      const after = total + deadLetters.length;
      const detail: CountedDetail = { rejected: after, own: mark.detail };
      await context.commit({ through: mark.through, detail: { ...detail } }, deadLetters, write);
      total = after;
      tell(total);
    },
  };
}
