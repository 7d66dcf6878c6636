/** Who imports shared code, and what a new name of it changes in them. Pure. */
import type { Command } from '@millrace/document';

/** A code node or shared file, as the draft has it. */
export interface CodeText {
  readonly id: string;
  /** Of a shared file, `lib/x.ts`; of a node its name. */
  readonly name: string;
  readonly isShared: boolean;
  readonly text: string;
}

interface Import {
  /** Where the specifier stands, without its quotes. */
  readonly start: number;
  readonly end: number;
  /** `lib/x.ts`. */
  readonly path: string;
}

const SPECIFIER = /(?:\bfrom|\bimport)\s*(['"])((?:#lib\/|\.\.?\/)[^'"\n]+)\1/g;

export function usersOf(path: string, codes: readonly CodeText[]): readonly CodeText[] {
  return codes.filter((code) => importsOf(code).some((each) => means(each.path, path)));
}

/** Edits of everybody who imports the file under its old name. */
export function renamedImports(from: string, to: string, codes: readonly CodeText[]): readonly Command[] {
  return codes.flatMap((code): Command[] => {
    const splices = importsOf(code)
      .filter((each) => means(each.path, from))
      // From the end, so that no edit moves the place of the next.
      .reverse()
      .map(({ start, end }) => ({ at: start, remove: end - start, insert: specifierOf(to) }));
    return splices.length === 0 ? [] : [{ kind: 'edit-code', code: code.id, splices }];
  });
}

export function specifierOf(path: string): string {
  return `#${path.replace(/\.ts$/, '')}`;
}

function importsOf({ text, name, isShared }: CodeText): readonly Import[] {
  return [...text.matchAll(SPECIFIER)].flatMap((match) => {
    const specifier = match[2] ?? '';
    const end = match.index + match[0].length - 1;
    const path = specifier.startsWith('#')
      ? specifier.slice(1)
      : isShared
        ? joined(name.slice(0, name.lastIndexOf('/')), specifier)
        : undefined;
    return path === undefined ? [] : [{ start: end - specifier.length, end, path }];
  });
}

function joined(folder: string, relative: string): string {
  const parts = folder.split('/');
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** An import may leave out the ending, and the name of an index. */
function means(imported: string, path: string): boolean {
  return imported === path || `${imported}.ts` === path || `${imported}/index.ts` === path;
}
