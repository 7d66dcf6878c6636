import { expect, test } from 'vitest';
import { type Observed, outcomeOf, withObserved } from './progress.ts';

const seen = (state: Observed['state'], revision: number, version: number, reason?: string): Observed => ({
  pipeline: 'p_1',
  state,
  since: 0,
  revision,
  version,
  ...(reason !== undefined && { reason }),
});
const WANTED = { version: 5, revision: 8 };
const after = (...all: Observed[]) => all.reduce<readonly Observed[]>(withObserved, []);

test('each state is a line, said once', () => {
  const states = after(
    seen('running', 7, 4),
    seen('running', 7, 4),
    seen('draining', 7, 4),
    seen('starting', 8, 5),
    seen('running', 8, 5),
  );
  expect(states.map(({ state, version }) => `${state} ${version}`)).toEqual([
    'running 4',
    'draining 4',
    'starting 5',
    'running 5',
  ]);
  expect(outcomeOf(states, WANTED)).toBe('done');
});

test('that the version before still runs is not the end of it', () => {
  expect(outcomeOf(after(seen('running', 7, 4)), WANTED)).toBe('under-way');
  expect(outcomeOf([], WANTED)).toBe('under-way');
});

test('a failure is the end until it is started again; another wish overtakes', () => {
  const failed = after(seen('starting', 8, 5), seen('failed', 8, 5, 'no such file'));
  expect(outcomeOf(failed, WANTED)).toBe('failed');
  expect(outcomeOf(withObserved(failed, seen('running', 8, 5)), WANTED)).toBe('done');
  expect(outcomeOf(withObserved(failed, seen('stopped', 9, 5)), WANTED)).toBe('overtaken');
});
