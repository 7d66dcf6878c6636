/**
 * Search compares folded text with folded terms, by containment: no pattern language, so nothing to inject, and
 * no dependence on the locale of the database.
 */
const MAX_TERMS = 10;

/** Code of one draft that is searched; the rest of a giant is not. */
const MAX_SEARCHED = 4_000_000;

export function fold(text: string): string {
  return text.slice(0, MAX_SEARCHED).normalize('NFKC').toLowerCase().replaceAll('\0', ' ');
}

/** All must be found. */
export function searchTerms(query: string): string[] {
  return [...new Set(fold(query).split(/\s+/u))].filter((term) => term !== '').slice(0, MAX_TERMS);
}

export const entryText = (name: string, description: string, tags: readonly string[]): string =>
  fold([name, description, ...tags].join('\n'));

/** Paths too: people look for a file they remember. */
export const draftText = (files: ReadonlyMap<string, string>): string =>
  fold([...files].map(([path, text]) => `${path}\n${text}`).join('\n'));
