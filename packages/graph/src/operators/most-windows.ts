import { parseDuration } from '../durations.ts';

/** In how many windows a record may lie where each of them is looked at when it comes. As in the SDK. */
const MOST_WINDOWS = 10_000;

interface Given {
  readonly type: string;
  readonly size?: string;
  readonly slide?: string;
}

/** What is wrong with the slide; undefined where nothing is. */
export function tooManyWindows({ type, size, slide }: Given): string | undefined {
  if (type !== 'hopping' || size === undefined || slide === undefined) return undefined;
  const windows = Math.ceil((parseDuration(size) ?? 0) / (parseDuration(slide) || 1));
  if (windows <= MOST_WINDOWS) return undefined;
  return `puts each record into ${windows} windows, each with a timer of its own here; ${MOST_WINDOWS} are possible`;
}
