/**
 * How well an entry of a list of commands fits what is typed: every word of it must begin, or stand in, a word of the
 * title or of what the entry is known by. Letters picked from anywhere would find everything. Pure.
 */
export interface Matched {
  readonly title: string;
  readonly words: readonly string[];
}

const SAME = 1;
const BEGINS = 0.9;
const WORD = 0.8;
const WITHIN = 0.6;
const KNOWN_BY = 0.4;

/** 0: not at all. */
export function matchEntry({ title, words }: Matched, typed: string): number {
  const wanted = lettersOf(typed).split(' ').filter(Boolean);
  const name = lettersOf(title);
  if (name === wanted.join(' ')) return SAME;
  if (wanted.length > 0 && name.startsWith(wanted.join(' '))) return BEGINS;
  const others = words.map(lettersOf);
  return wanted.reduce((least, word) => Math.min(least, ofWord(name, others, word)), SAME);
}

function ofWord(name: string, others: readonly string[], word: string): number {
  if (` ${name}`.includes(` ${word}`)) return WORD;
  if (name.includes(word)) return WITHIN;
  return others.some((other) => ` ${other}`.includes(` ${word}`)) ? KNOWN_BY : 0;
}

/** Without case, accents and what stands between words. */
const lettersOf = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
