import { describe, expect, it } from 'vitest';
import { type CodeText, renamedImports, usersOf } from './shared-code.ts';

const codes: readonly CodeText[] = [
  {
    id: 'n_a',
    name: 'a',
    isShared: false,
    text: 'import { shout } from \'#lib/words\';\nimport type { W } from "#lib/words.ts";\n',
  },
  { id: 'n_b', name: 'b', isShared: false, text: "// from '#lib/wordsmith'\nimport x from './words';\n" },
  {
    id: 'f_1',
    name: 'lib/all.ts',
    isShared: true,
    text: "export * from './words';\nimport '../lib/words.ts';\n",
  },
];

describe('shared code', () => {
  it('knows who imports it, by whatever path, and who only seems to', () => {
    expect(usersOf('lib/words.ts', codes).map(({ id }) => id)).toEqual(['n_a', 'f_1']);
    expect(usersOf('lib/words/index.ts', codes).map(({ id }) => id)).toEqual(['n_a', 'f_1']);
    expect(usersOf('lib/other.ts', codes)).toEqual([]);
  });

  it('a new name is written into every import, from the end of a text on', () => {
    const commands = renamedImports('lib/words.ts', 'lib/text/loud.ts', codes);
    const after = commands.map((command) => {
      if (command.kind !== 'edit-code') throw new Error(command.kind);
      let text = codes.find(({ id }) => id === command.code)?.text ?? '';
      for (const { at, remove, insert } of command.splices)
        text = text.slice(0, at) + insert + text.slice(at + remove);
      return text;
    });
    expect(after).toEqual([
      'import { shout } from \'#lib/text/loud\';\nimport type { W } from "#lib/text/loud";\n',
      "export * from '#lib/text/loud';\nimport '#lib/text/loud';\n",
    ]);
  });
});
