/** Types as people read them: what flows on a stream, beside the stream. */
import ts from 'typescript-js';

/** In a folder, so that `../n_x/node` leads to a node from here as it does from beside one. */
export const TYPES_PATH = '/types/shown.ts';

const LONGEST = 600;

export function typesFile(types: readonly (readonly [name: string, type: string])[]): string {
  return `${types.map(([, type], i) => `export type T${i} = ${type};`).join('\n')}\n`;
}

export function typesInWords(
  program: ts.Program,
  types: readonly (readonly [name: string, type: string])[],
): (readonly [name: string, words: string])[] {
  const checker = program.getTypeChecker();
  const statements = [...(program.getSourceFile(TYPES_PATH)?.statements ?? [])];
  const aliases = statements.filter((statement) => ts.isTypeAliasDeclaration(statement));
  return aliases.flatMap((alias, i) => {
    const name = types[i]?.[0];
    return name === undefined
      ? []
      : [[name, words(checker, checker.getTypeFromTypeNode(alias.type))] as const];
  });
}

/** An interface is told by its fields: its name says nothing to who cannot see its file. */
function words(checker: ts.TypeChecker, type: ts.Type): string {
  const isPlain = type.isClassOrInterface() && !isOfTheLanguage(type);
  if (!isPlain) return cut(text(checker, type));
  const fields = checker.getPropertiesOfType(type).map((field) => {
    const mark = field.flags & ts.SymbolFlags.Optional ? '?' : '';
    return `${field.name}${mark}: ${text(checker, checker.getTypeOfSymbol(field))}`;
  });
  return cut(fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`);
}

function text(checker: ts.TypeChecker, type: ts.Type): string {
  return checker
    .typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias)
    .replace(/; }/g, ' }');
}

/** Date, Uint8Array, arrays. */
function isOfTheLanguage(type: ts.Type): boolean {
  return type.symbol?.declarations?.[0]?.getSourceFile().fileName.startsWith('/lib.typescript/') === true;
}

function cut(long: string): string {
  return long.length > LONGEST ? `${long.slice(0, LONGEST)}…` : long;
}
