/** A watermark in words, written from outside React: its time in the look of event time, the rest in plain words. */
import type { ViewNode } from '@millrace/protocol/api';
import { formatIso, formatMark } from '../../text/format-time.ts';
import { watermarkWords } from './level.ts';
import { writeText } from './write-text.ts';

/** The place for it; `paintWatermark` fills its parts. */
export const WatermarkText = () => (
  <>
    <span />
    <span data-time="event" hidden />
    <span />
  </>
);

export function paintWatermark(place: Element, node: ViewNode | undefined): void {
  const words =
    node === undefined
      ? { before: '', time: undefined, after: '' }
      : watermarkWords(node.watermark, node.lagMs);
  const [before, time, after] = [...place.children] as HTMLElement[];
  if (time !== undefined) {
    const isHidden = words.time === undefined;
    if (time.hidden !== isHidden) time.hidden = isHidden;
    if (words.time !== undefined) {
      const text = formatMark(words.time);
      if (time.textContent !== text) time.title = formatIso(words.time);
      writeText(time, text);
    }
  }
  writeText(before, words.before);
  writeText(after, words.after);
}
