/**
 * Code to begin with. A computation stands for a whole node, a piece is put where the cursor is. The texts are files
 * of their own beside this one, in the form of the code editor, with places to fill in.
 */
import { codeWords } from '../../text/strings/code.ts';

export interface Snippet {
  /** What one types to be offered it. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

const TEXTS = import.meta.glob<string>(['./snippets/*.snippet', './snippets/pieces/*.snippet'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const COMPUTATIONS = snippets('', codeWords.computation);
export const PIECES = snippets('pieces/', codeWords.piece);

function snippets(folder: string, titles: Readonly<Record<string, string>>): readonly Snippet[] {
  return Object.entries(titles).map(([id, title]) => ({
    id,
    title,
    text: TEXTS[`./snippets/${folder}${id}.snippet`] ?? '',
  }));
}

/** Without its places to fill in. */
export function filledIn(text: string): string {
  let plain = text;
  // A place may lie in a place.
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain.replace(/(?<!\\)\$\{\d+:((?:[^${}]|\{[^{}]*\})*)\}/g, '$1');
  }
  return plain.replaceAll('\\$', '$');
}
