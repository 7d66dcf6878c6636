/**
 * Columns that text takes on a terminal, and text cut or padded to a number of columns. Names come from
 * pipeline files, so control characters are shown as `�`: an escape sequence in a name must not act.
 */

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
// East Asian wide and full-width ranges (UAX #11, W and F) that occur in text.
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const emoji = /\p{Emoji_Presentation}|\ufe0f/u;
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const control = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** Text that cannot move the cursor, change colours or reorder what stands beside it. */
export const printable = (text: string): string => text.replace(control, '\ufffd');

export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** At most `columns` wide, ending in `…` where something was cut. */
export function cut(text: string, columns: number): string {
  if (columns <= 0) return '';
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export function pad(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, columns - widthOf(text)));
  return side === 'left' ? text + space : space + text;
}

function graphemeWidth(grapheme: string): number {
  if (wide.test(grapheme) || emoji.test(grapheme)) return 2;
  return zeroWidth.test(grapheme) ? 0 : 1;
}
