/** A watermark in words, written from outside React: its time in the look of event time, the rest in plain words. */
import type { ViewNode } from '@millrace/protocol/api';
import { formatIso, formatMark } from '../../text/format-time.ts';
import { watermarkWords } from './level.ts';
import styles from './watermark-text.module.css';
import { writeText } from './write-text.ts';

/** The place for it; `paintWatermark` fills its parts. */
export const WatermarkText = () => (
  <span className={styles.watermark}>
    <span />
    <span className={styles.since} />
    <span className={styles.time} data-time="event" hidden />
    <span className={styles.lag} />
  </span>
);

export function paintWatermark(place: Element, node: ViewNode | undefined): void {
  const words =
    node === undefined
      ? { before: '', since: '', time: undefined, after: '' }
      : watermarkWords(node.watermark, node.lagMs);
  const [before, since, time, after] = [...(place.firstElementChild?.children ?? [])] as HTMLElement[];
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
  writeText(since, words.since);
  writeText(after, words.after);
}
