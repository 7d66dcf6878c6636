import { describe, expect, it } from 'vitest';
import { matchEntry } from './match-entry.ts';

const fits = (title: string, typed: string, words: readonly string[] = []): number =>
  matchEntry({ title, words }, typed);

describe('what fits what is typed', () => {
  it('puts the same name first, then a beginning, then words, then what it is known by', () => {
    const scores = [
      fits('Run', 'run'),
      fits('Runtime', 'run'),
      fits('Show the runtime', 'run'),
      fits('Rerun', 'run'),
      fits('Deploy', 'run', ['run']),
    ];
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(new Set(scores).size).toBe(scores.length);
  });

  it('finds nothing by letters that merely come in that order', () => {
    expect(fits('Group', 'run')).toBe(0);
    expect(fits('Web requests', 'run')).toBe(0);
  });

  it('wants each of several words, in any order, and asks for no accents', () => {
    expect(fits('Largest état per user', 'user etat')).toBeGreaterThan(0);
    expect(fits('Largest état per user', 'user total')).toBe(0);
  });
});
