import { describe, expect, it } from 'vitest';
import { findWords, wordsIn } from './page-words.mjs';

const found = (source) => wordsIn(source, 'view.tsx').map(({ text }) => text);

describe('the words of the page', () => {
  it('all stand in the catalogue', () => {
    expect(findWords()).toEqual([]);
  });

  it.each([
    ['text between tags', 'const a = <p>Nothing here</p>;', 'Nothing here'],
    ['a lower-case word that is shown', "const a = <p>{isMine ? 'yours' : name}</p>;", 'yours'],
    ['a name for who cannot see', 'const a = <nav aria-label="Places" />;', 'Places'],
    ['a property', "const a = { head: 'Good until' };", 'Good until'],
    ['a message with a value in it', 'toast(`$' + '{name} is deleted.`);', '{} is deleted.'],
  ])('are missed elsewhere: %s', (_what, source, words) => {
    expect(found(source)).toEqual([words]);
  });

  it('are not what the program says to itself', () => {
    expect(
      found(`
        import { a } from 'a b';
        type Mode = 'Just a type';
        if (event.key === 'Enter') throw new Error('a fault of ours');
        element.querySelector<HTMLElement>('input, [role=listbox] :is(a, b)')?.focus();
        const keys = ['Shift', 'Meta'];
        const code = "import { a } from 'b';\\nexport default a;";
        switch (key) { case 'Escape': break; }
        const a = <svg className="some names" viewBox="0 0 10 10"><path d="M0 0h10" /></svg>;
        const mask = <MiniMap maskColor="color-mix(in srgb, red 72%, transparent)" />;
        call('pipelines.list', { headers: { 'Content-Type': 'application/json' } });
        const b = <code>npx millrace reset-password</code>;
      `),
    ).toEqual([]);
  });
});
